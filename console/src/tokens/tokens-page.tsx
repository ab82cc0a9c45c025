import type { components } from '@postrider/client';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import type { Column } from '../ui/data-table.js';
import { ListPage } from '../ui/list-page.js';
import { Time } from '../ui/time.js';
import { CreateTokenButton } from './create-token-button.js';
import { RevokeTokenButton } from './revoke-token-button.js';
import { tokenState } from './token-state.js';

type ApiToken = components['schemas']['ApiToken'];

const COLUMNS: readonly Column<ApiToken>[] = [
  { title: texts.tokens.name, cell: ({ name }) => name },
  { title: texts.tokens.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
  { title: texts.tokens.scopes, cell: ({ scopes }) => scopes.join(', ') },
  {
    title: texts.tokens.state,
    cell: (token) => {
      const state = tokenState(token, Date.now());
      return <Badge tone={state === 'live' ? 'good' : 'neutral'}>{texts.tokens.states[state]}</Badge>;
    },
  },
  {
    title: texts.tokens.lastUsed,
    cell: ({ lastUsedAt, lastUsedAddress }) =>
      lastUsedAt === null ? (
        texts.tokens.never
      ) : (
        <>
          <Time at={lastUsedAt} /> {lastUsedAddress}
        </>
      ),
  },
  {
    title: texts.tokens.createdBy,
    cell: ({ createdBy }) => <code>{createdBy ?? texts.tokens.commandLine}</code>,
  },
  {
    title: texts.tokens.expires,
    cell: ({ expiresAt }) => (expiresAt === null ? texts.tokens.never : <Time at={expiresAt} />),
  },
  { title: texts.actions.column, cell: (token) => <RevokeTokenButton token={token} /> },
];

export function TokensPage() {
  const mayCreate = useMay('api_token:create');
  const list = useList<ApiToken>({
    key: ['api-tokens'],
    fetchPage: (client, query) => client.get('/api-tokens', { params: { query } }),
  });
  return (
    <ListPage
      title={texts.tokens.title}
      subtitle={texts.tokens.subtitle}
      actions={mayCreate && <CreateTokenButton />}
      columns={COLUMNS}
      list={list}
      keyOf={({ id }) => id}
      empty={texts.tokens.empty}
    />
  );
}
