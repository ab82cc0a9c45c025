import type { components } from '@postrider/client';
import type { Colour } from '../context/terminal.js';

/** The colour of each status of a delivery. */
export const STATUS_COLOURS: Readonly<Record<components['schemas']['DeliveryStatus'], Colour>> = {
  pending: 'dim',
  delivered: 'green',
  failed: 'yellow',
  failed_permanent: 'red',
  dead_lettered: 'red',
};
