export const statsTexts = {
  stats: {
    title: 'Deliveries over time',
    period: 'Period',
    periods: { '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
    asTable: 'Show as a table',
    asPlot: 'Show as charts',
    accepted: (share: string) => `${share} of the completed deliveries were accepted.`,
    noneEnded: 'No delivery ended in this period.',
    time: 'Time',
    attempts: 'Attempts',
    outcomes: {
      delivered: 'Delivered',
      failed: 'Retrying',
      failedPermanent: 'Failed',
      deadLettered: 'Retries exhausted',
      held: 'Held',
    },
    p50: 'p50',
    p95: 'p95',
    percentiles: { p50: 'Latest duration of attempts, p50', p95: 'p95' },
    count: (value: number) => value.toLocaleString('en'),
  },
} as const;
