import type { JsonValue } from '@atrium/platform/kernel';
import type { SearchPair, SearchWorld } from './search-world';

/** A document with the given text. */
async function read(
  { api, tenant_id }: SearchWorld,
  file: string,
  hash: string,
  facts: { status: string; language?: string },
): Promise<void> {
  await api.sql('INSERT INTO file_text (tenant_id, file_id, ft_version, ft_status, ft_language) VALUES ($1, $2, $3, $4, $5)', [
    tenant_id,
    file,
    hash,
    facts.status,
    facts.language ?? null,
  ]);
}

/** The miss was read in the asked language, but of earlier bytes. */
const language = (op: string, value: JsonValue): SearchPair => ({
  field: 'language',
  op,
  scope: 'docs',
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{ file_hash: 'c1' }, { file_hash: 'c2' }], 'docs');
    await read(world, hit, 'c1', { status: 'ready', language: 'de' });
    await read(world, miss, 'c1', { status: 'ready', language: 'de' });
    return { value, hit, miss };
  },
});

const status = (op: string, value: JsonValue): SearchPair => ({
  field: 'text_status',
  op,
  scope: 'docs',
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{ file_hash: 'c3' }, { file_hash: 'c4' }], 'docs');
    await read(world, hit, 'c3', { status: 'failed' });
    await read(world, miss, 'c3', { status: 'failed' });
    return { value, hit, miss };
  },
});

const ready = (value: boolean): SearchPair => ({
  field: 'markdown_ready',
  op: 'eq',
  scope: 'docs',
  arrange: async (world) => {
    const [one = '', other = ''] = await world.files([{ file_hash: 'c7' }, { file_hash: 'c8' }], 'docs');
    const [hit, miss] = value ? [one, other] : [other, one];
    await read(world, one, 'c7', { status: 'ready' });
    await read(world, other, 'c7', { status: 'ready' });
    return { value, hit, miss };
  },
});

/** Bytes that nobody has read yet are pending. */
const unread: SearchPair = {
  field: 'text_status',
  op: 'eq',
  scope: 'docs',
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{ file_hash: 'c5' }, { file_hash: 'c6' }], 'docs');
    await read(world, miss, 'c6', { status: 'empty' });
    return { value: 'pending', hit, miss };
  },
};

const deprecated = ({ api, tenant_id }: SearchWorld, file: string): Promise<unknown> =>
  api.sql('INSERT INTO document (tenant_id, file_id, file_deprecated_at) VALUES ($1, $2, now())', [tenant_id, file]);

const lifecycle = (value: 'active' | 'deprecated'): SearchPair => ({
  field: 'lifecycle',
  op: 'eq',
  scope: 'docs',
  arrange: async (world) => {
    const [one = '', other = ''] = await world.files([{}, {}], 'docs');
    const [hit, miss] = value === 'active' ? [one, other] : [other, one];
    await deprecated(world, other);
    return { value, hit, miss };
  },
});

export const PAIRS: readonly SearchPair[] = [
  language('eq', 'de'),
  language('in', ['en', 'de']),
  status('eq', 'failed'),
  status('in', ['failed', 'unsupported']),
  unread,
  ready(true),
  ready(false),
  lifecycle('active'),
  lifecycle('deprecated'),
];
