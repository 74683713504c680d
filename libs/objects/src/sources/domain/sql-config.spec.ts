import type { JsonObject } from '@atrium/platform/kernel';
import { placeOf, readConfig } from './source-config';
import { checkCredentials } from './source-credentials';
import type { SqlSourceConfig } from './sql-config';

const read = (more: JsonObject = {}): SqlSourceConfig =>
  readConfig('sql', { host: 'db.example.com', database: 'shop', table: 'public.article', key: 'id', ...more }) as SqlSourceConfig;
const faultsOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { errors: { path: string }[] }).errors.map(({ path }) => path);
  }
  return [];
};

describe('the settings of a database', () => {
  it('are a table with its key, over a connection whose certificate is checked', () => {
    expect(read()).toEqual({
      kind: 'sql',
      host: 'db.example.com',
      port: 5_432,
      database: 'shop',
      rows: { table: ['public', 'article'] },
      key: 'id',
      pageSize: 1_000,
      tls: 'verify',
      ca: null,
      timeoutSeconds: 60,
      auth: { type: 'login' },
    });
  });

  it('may be a query, whose last semicolon is left out', () => {
    expect(read({ table: null, query: 'with a as (select 1 AS id) select * from a;\n ; ' }).rows).toEqual({
      query: 'with a as (select 1 AS id) select * from a',
    });
  });

  it.each<[JsonObject, string]>([
    [{ host: '' }, 'host'],
    [{ host: 'db.example.com:5432' }, 'host'],
    [{ host: '/var/run/postgresql' }, 'host'],
    [{ host: 'user:secret@db' }, 'host'],
    [{ port: 0 }, 'port'],
    [{ port: 65_536 }, 'port'],
    [{ database: 'a\0b' }, 'database'],
    [{ database: 'x'.repeat(64) }, 'database'],
    [{ table: 'a.b.c' }, 'table'],
    [{ table: '.b' }, 'table'],
    [{ table: null }, 'table'],
    [{ query: 'SELECT 1' }, 'query'],
    [{ table: null, query: 'DELETE FROM article' }, 'query'],
    [{ table: null, query: 'selection' }, 'query'],
    [{ table: null, query: ' ; ' }, 'query'],
    [{ table: null, query: 'SELECT 1\0' }, 'query'],
    [{ key: null }, 'key'],
    [{ key: 'x'.repeat(64) }, 'key'],
    [{ page_size: 0 }, 'page_size'],
    [{ page_size: 10_001 }, 'page_size'],
    [{ tls: 'prefer' }, 'tls'],
    [{ tls: 'off', ca: 'x' }, 'ca'],
    [{ ca: '-----BEGIN CERTIFICATE-----\nx' }, 'ca'],
    [{ statement_timeout: 0 }, 'statement_timeout'],
    [{ statement_timeout: 301 }, 'statement_timeout'],
    [{ url: 'https://shop.example.com' }, 'url'],
    [{ password: 'x' }, 'password'],
  ])('refuse %j', (more, key) => {
    expect(faultsOf(() => read(more))).toEqual([`osr_config.${key}`]);
  });

  it('refuse a query of more than 20,000 characters', () => {
    expect(faultsOf(() => read({ table: null, query: `SELECT '${'x'.repeat(20_000)}'` }))).toEqual(['osr_config.query']);
  });

  it('need a login, which cannot smuggle another setting onto the wire', () => {
    const check = (credentials: JsonObject | null) => faultsOf(() => checkCredentials(read().auth, credentials));
    expect(check({ username: 'reader', password: 'pässword' })).toEqual([]);
    expect(check(null)).toEqual(['osr_credentials.username', 'osr_credentials.password']);
    expect(check({ username: 'reader\0options\0-c x', password: 'p' })).toEqual(['osr_credentials.username']);
    expect(check({ username: 'reader', password: 'p', token: 't' })).toEqual(['osr_credentials.token']);
  });

  it('name another place where the host, the port or what proves it changes', () => {
    const here = placeOf(read());
    expect(placeOf(read({ database: 'other', table: 'b', page_size: 5 }))).toBe(here);
    const moves: readonly JsonObject[] = [{ host: 'db2.example.com' }, { port: 5_433 }, { tls: 'require' }];
    for (const more of moves) expect(placeOf(read(more))).not.toBe(here);
  });
});
