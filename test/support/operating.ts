import { operatorTokenHash } from '@atrium/platform/access';
import type { RunningApi } from '@atrium/platform/testing';
import request, { type Test } from 'supertest';

export const OPERATOR_TOKEN = `aop_ops_${'k'.repeat(43)}`;
export const OPERATOR_TOKENS = `ops:${operatorTokenHash(OPERATOR_TOKEN)}`;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Calls the operator API. */
export class OperatorClient {
  constructor(
    private readonly origin: string,
    private readonly headers: Readonly<Record<string, string>> = { Authorization: `Bearer ${OPERATOR_TOKEN}` },
  ) {}

  get = (path: string): Test => this.send('get', path);
  post = (path: string, body: object = {}): Test => this.send('post', path).send(body);
  put = (path: string, body: object = {}): Test => this.send('put', path).send(body);
  patch = (path: string, body: object = {}): Test => this.send('patch', path).send(body);
  delete = (path: string): Test => this.send('delete', path);

  private send(method: Method, path: string): Test {
    return request(this.origin)[method](`/operator/v1${path}`).set(this.headers);
  }
}

export const operatorOf = (api: RunningApi): OperatorClient => new OperatorClient(api.url);

let made = 0;

/** The order of a workspace that nobody else has ordered. */
export function order(
  more: Record<string, unknown> = {},
): Record<string, unknown> & { ws_slug: string; owner: { user_email: string; user_name: string } } {
  const ws_slug = `op-${++made}-${Date.now().toString(36)}`;
  return { ws_name: 'Harbour Media', ws_slug, owner: { user_email: `ada@${ws_slug}.example`, user_name: 'Ada' }, ...more };
}
