import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Delete, Get, Module, Post } from '@nestjs/common';
import { createApi } from '@atrium/platform/http';
import { Policy, Public, RoutePolicies, routeTable, self } from '@atrium/platform/access';
import type { RunningApi } from '@atrium/platform/testing';
import { ApiModule } from '../../apps/api/src/api.module';
import { startAtrium } from '../support/api';

let api: RunningApi;
let routes: ReturnType<RoutePolicies['routes']>;

beforeAll(async () => {
  api = await startAtrium();
  routes = api.app.get(RoutePolicies, { strict: false }).routes();
});
afterAll(() => api.close());

@Controller('curtains')
class CurtainsController {
  @Get()
  @Policy(self)
  list(): string[] {
    return [];
  }

  @Get('public')
  @Public('a window')
  look(): string[] {
    return [];
  }

  @Post(':id/open')
  open(): void {}

  @Delete(':id')
  remove(): void {}
}

@Module({ imports: [ApiModule], controllers: [CurtainsController] })
class ApiWithOpenRoutes {}

describe('the route table', () => {
  it('holds a policy for every route', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter(({ policy }) => !policy)).toEqual([]);
  });

  it('says why a public route is public and names no permission twice', () => {
    for (const { handler, policy } of routes) {
      if (policy?.kind === 'public') expect({ handler, why: policy.why?.length }).not.toEqual({ handler, why: 0 });
      for (const wanted of [policy?.any, policy?.all]) expect({ handler, unknown: (wanted ?? []).length - new Set(wanted).size }).toEqual({ handler, unknown: 0 });
    }
  });

  it('has each method and path once', () => {
    const seen = routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(seen.filter((route, i) => seen.indexOf(route) !== i)).toEqual([]);
  });

  it('is the one in docs/routes.md', () => {
    expect(readFileSync(join(__dirname, '../../docs/routes.md'), 'utf8')).toBe(routeTable(routes));
  });

  it('is closed: without a credential every route but the public ones answers 401, and those of operators are not there', async () => {
    for (const { method, path, policy } of routes) {
      if (policy?.kind === 'public') continue;
      const answer = await fetch(api.url + path.replace(/:\w+/g, '0190163d-8694-739b-aea5-966c26f8ad91'), { method, headers: { 'X-Tenant-Id': '0190163d-8694-739b-aea5-966c26f8ad91' } });
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: policy?.kind === 'operator' ? 404 : 401 });
    }
  });

  it('[identity 30] with a route that lacks a policy keeps the service from starting and names the route', async () => {
    const app = await createApi(ApiWithOpenRoutes);
    const start = app.listen(0, '127.0.0.1');
    await expect(start).rejects.toThrow(/declare no policy/);
    await expect(start).rejects.toThrow('POST /api/v1/curtains/:id/open (CurtainsController.open)');
    await expect(start).rejects.toThrow('DELETE /api/v1/curtains/:id (CurtainsController.remove)');
    await expect(start).rejects.not.toThrow(/\.(list|look)/);
    await app.close();
  });
});
