import type { components } from '@postrider/client';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import type { Column } from '../ui/data-table.js';
import { ListPage } from '../ui/list-page.js';
import { Time } from '../ui/time.js';
import { TwoLines } from '../ui/two-lines.js';
import { CreateTokenButton } from './create-token-button.js';
import { RevokeTokenButton } from './revoke-token-button.js';
import { tokenState } from './token-state.js';

type ApiToken = components['schemas']['ApiToken'];

const COLUMNS: readonly Column<ApiToken>[] = [
  {
    title: texts.tokens.name,
    grows: true,
    cell: ({ name, prefix }) => (
      <TwoLines first={<span title={name}>{name}</span>} second={<code>{prefix}…</code>} />
    ),
  },
  { title: texts.tokens.scopes, wraps: true, cell: ({ scopes }) => scopes.join(', ') },
  {
    title: texts.tokens.state,
    wraps: true,
    cell: (token) => <State token={token} />,
  },
  {
    title: texts.tokens.lastUsed,
    cell: ({ lastUsedAt, lastUsedAddress }) =>
      lastUsedAt === null ? (
        texts.tokens.never
      ) : (
        <TwoLines first={<Time at={lastUsedAt} />} second={lastUsedAddress} />
      ),
  },
  {
    title: texts.tokens.createdBy,
    grows: true,
    cell: ({ createdBy }) =>
      createdBy === null ? texts.tokens.commandLine : <code title={createdBy}>{createdBy}</code>,
  },
  { title: texts.actions.column, cell: (token) => <RevokeTokenButton token={token} /> },
];

function State({ token }: { readonly token: ApiToken }) {
  const { expiresAt } = token;
  const state = tokenState(token, Date.now());
  return (
    <TwoLines
      first={<Badge tone={state === 'live' ? 'good' : 'neutral'}>{texts.tokens.states[state]}</Badge>}
      second={
        expiresAt === null ? null : (
          <>
            {texts.tokens.expires} <Time at={expiresAt} />
          </>
        )
      }
    />
  );
}

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
