import { Problem } from '@atrium/platform/kernel';
import { readConfig } from '../domain/source-config';
import type { SqlSourceConfig } from '../domain/sql-config';
import { sqlProblem } from './sql-faults';

const QUERY = 'SELECT id FROM article';
const config = readConfig('sql', { host: 'db.example.com', database: 'shop', query: QUERY, key: 'sku' }) as SqlSourceConfig;
const QUERY_AT = 50;

const told = (error: unknown): Problem => sqlProblem(error, { config, queryAt: QUERY_AT });
const server = (code: string, message = 'hidden', position?: number): Error =>
  Object.assign(new Error(message), { code, severity: 'ERROR', ...(position === undefined ? {} : { position: String(position) }) });

describe('a fault of a database', () => {
  it.each(['08006', '08P01', '25P03', '40001', '40P01', '53300', '55P03', '57P01', '57P02', '57P03', '58030', 'XX000'])(
    '%s passes, and is asked again',
    (code) => {
      expect(told(server(code))).toMatchObject({ code: 'upstream_failed', detail: expect.stringContaining(code) });
      expect(told(server(code)).detail).not.toContain('hidden');
    },
  );

  it.each(['28000', '28P01', '3D000', '25006', '22012', '22P02', 'P0001', '42601', '42501', '0A000'])('%s does not', (code) => {
    expect(told(server(code))).toMatchObject({ code: 'unprocessable_content' });
  });

  it.each([
    ['28P01', 'osr_credentials'],
    ['28000', 'osr_config.tls'],
    ['3D000', 'no database shop'],
    ['25006', 'can only read'],
    ['57014', '60 seconds'],
  ])('%s says what to check: %s', (code, words) => {
    expect(told(server(code)).detail).toContain(words);
    expect(told(server(code)).detail).not.toContain('hidden');
  });

  it('in the query is reported in the words of the server, with the place in the query', () => {
    expect(told(server('42P01', 'relation "article" does not exist', QUERY_AT + 16)).detail).toContain(
      'relation "article" does not exist (at character 16 of the query)',
    );
    expect(told(server('42601', 'syntax error', QUERY_AT + QUERY.length + 1)).detail).not.toContain('at character');
    expect(told(server('42601', 'x'.repeat(5_000))).detail.length).toBeLessThan(500);
  });

  it('of the key is distinguished from one in the query', () => {
    expect(told(server('42703', 'column p.sku does not exist', 10)).detail).toContain('There is no column sku');
    expect(told(server('42883', 'operator does not exist: json = json', 12)).detail).toContain(
      'The column sku has a type that cannot be sorted',
    );
    expect(told(server('42883', 'function f() does not exist', QUERY_AT + 8)).detail).toContain('function f() does not exist');
    expect(told(server('42703', 'column "x" does not exist', QUERY_AT + 8)).detail).toContain('column "x" does not exist (at character 8');
  });

  it('that would quote values of rows does not', () => {
    expect(told(server('22P02', 'invalid input syntax for type integer: "4111 1111"')).detail).not.toContain('4111');
  });

  it.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
    'of the certificate, %s, is not one that passes',
    (code) => {
      expect(told(Object.assign(new Error('x'), { code }))).toMatchObject({
        code: 'unprocessable_content',
        detail: expect.stringContaining('osr_config.ca'),
      });
    },
  );

  it('of the connection says nothing of sockets', () => {
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', ''])
      expect(told(Object.assign(new Error('connect 10.1.2.3:5432 reader:secret'), { code }))).toMatchObject({
        code: 'upstream_failed',
        detail: 'The database could not be reached, or the connection was interrupted.',
      });
    expect(told(AbortSignal.abort(new DOMException('late', 'TimeoutError')).reason)).toMatchObject({ code: 'upstream_timeout' });
    expect(told(new Error('SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match'))).toMatchObject({
      code: 'unprocessable_content',
    });
    expect(told(new Error('The server does not support SSL connections')).detail).toContain('osr_config.tls');
    expect(told('odd')).toMatchObject({ code: 'upstream_failed' });
  });

  it('that is a problem already stays it', () => {
    const problem = new Problem('unprocessable_content', 'Too large.');
    expect(told(problem)).toBe(problem);
  });
});
