import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Controller } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { loadSettings } from '@atrium/platform/config';
import express from 'express';
import { AnyOrigin, CrossOrigin } from './cross-origin';
import { Edge } from './request-edge';

@AnyOrigin()
@Controller('delivery')
class PublicContent {}

@Controller('albums')
class Albums {}

const SHOP = 'https://shop.example';
let server: Server;
let base: string;

beforeAll(async () => {
  const edge = new Edge();
  edge.mountEndpoint({ anyOriginUnder: '/w', handleRequest: () => Promise.resolve(false) });
  edge.mountEndpoint({ handleRequest: () => Promise.resolve(false) });
  const settings = loadSettings({
    DATABASE_URL: 'postgres://x@127.0.0.1/x',
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
    CORS_ORIGINS: 'https://app.example',
  });
  const discovery = { getControllers: () => [{ metatype: PublicContent }, { metatype: Albums }, { metatype: null }] };
  const origins = new CrossOrigin(settings, edge, discovery as Partial<DiscoveryService> as DiscoveryService);
  origins.onApplicationBootstrap();
  server = createServer(
    express()
      .use(origins.handleRequest)
      .use((request, response) => response.status(request.path.endsWith('/missing') ? 404 : 200).end()),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const ask = (path: string, headers: Record<string, string> = { Origin: SHOP }, method = 'GET'): Promise<Response> =>
  fetch(`${base}${path}`, { method, headers });
const allowOf = ({ headers }: Response): string | null => headers.get('access-control-allow-origin');

describe('public content', () => {
  it.each(['/api/v1/delivery/wsk_1/page', '/api/v1/delivery/missing', '/api/v1/delivery', '/w/wsk_1/sitemap.xml', '/w/missing'])(
    'may be read by pages of every origin, whatever the setting says: %s',
    async (path) => {
      for (const origin of [SHOP, null]) {
        const answer = await ask(path, origin === null ? {} : { Origin: origin });
        expect(allowOf(answer)).toBe('*');
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        expect(answer.headers.get('vary')).toBeNull();
        expect(answer.headers.get('access-control-expose-headers')?.split(',')).toEqual(expect.arrayContaining(['ETag', 'X-Site-Seq']));
      }
    },
  );

  it('may be asked for with the token of a preview', async () => {
    const preflight = await ask(
      '/api/v1/delivery/wsk_1/page',
      { Origin: SHOP, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-site-token' },
      'OPTIONS',
    );
    expect(preflight.status).toBe(204);
    expect(allowOf(preflight)).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-site-token');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET,HEAD');
  });
});

describe('everything else', () => {
  it.each(['/api/v1/albums', '/api/v1/delivery-reports', '/api/v1/deliver', '/wide', '/api/v1/w/a', '/'])(
    'is for the origins of the setting: %s',
    async (path) => {
      expect(allowOf(await ask(path))).toBeNull();
      const own = await ask(path, { Origin: 'https://app.example' });
      expect(allowOf(own)).toBe('https://app.example');
      expect(own.headers.get('access-control-expose-headers')).not.toContain('X-Site-Seq');
      expect((await ask(path, {})).headers.get('vary')).toBe('Origin');
    },
  );
});
