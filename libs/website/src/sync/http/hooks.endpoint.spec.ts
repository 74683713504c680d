import type { RatedCaller, RateStatus } from '@atrium/platform/access';
import type { Edge } from '@atrium/platform/http';
import express from 'express';
import request from 'supertest';
import type { WebhooksService } from '../application/webhooks.service';
import { CmsHooksEndpoint } from './hooks.endpoint';

const AT = `/hooks/cms/${'k'.repeat(32)}`;

/** The endpoint with an allowance; what was counted, and the keys whose events were accepted. */
function endpointWith(allowed: number) {
  const counted: [RatedCaller, string][] = [];
  const accepted: string[] = [];
  const countRequest = (caller: RatedCaller, rl_class: string): RateStatus => {
    counted.push([caller, rl_class]);
    const remaining = Math.max(0, allowed - counted.length);
    return { rl_class, limit: allowed, windowSeconds: 60, remaining, resetSeconds: 42, exceeded: counted.length > allowed };
  };
  const endpoint = new CmsHooksEndpoint(
    {} as Edge,
    { acceptEvent: (key: string) => Promise.resolve(void accepted.push(key)) } as unknown as WebhooksService,
    { countRequest },
  );
  const app = express().use((asked, answer, next) => {
    void endpoint.handleRequest(asked, answer).then((done) => (done ? undefined : next()));
  });
  return { app, counted, accepted };
}

describe('the address that a CMS calls', () => {
  it('counts every event by the address it comes from, and refuses what is above the allowance before it is read', async () => {
    const { app, counted, accepted } = endpointWith(1);
    const first = await request(app).post(AT).send('{}').expect(202);
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"read";q=1;w=60', ratelimit: '"read";r=0;t=42' });
    const second = await request(app).post(AT).send('{}').expect(429);
    expect(second.headers).toMatchObject({ 'retry-after': '42', 'content-type': 'application/problem+json; charset=utf-8' });
    expect(JSON.parse(second.text)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(accepted).toEqual(['k'.repeat(32)]);
    expect(counted).toEqual(Array(2).fill([{ address: expect.stringMatching(/127\.0\.0\.1$/) as string }, 'read']));
  });

  it('counts keys that do not exist, so that none is found by guessing', async () => {
    const { app, counted } = endpointWith(1);
    await request(app).post('/hooks/cms/guess').expect(404);
    await request(app).post('/hooks/cms/guess').expect(429);
    expect(counted).toHaveLength(2);
  });

  it('leaves requests to other addresses uncounted', async () => {
    const { app, counted } = endpointWith(1);
    await request(app).get('/other').expect(404);
    expect(counted).toEqual([]);
  });
});
