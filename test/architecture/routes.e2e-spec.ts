import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Delete, Get, Module, Post } from '@nestjs/common';
import { createApi } from '@atrium/platform/http';
import { Policy, Public, RoutePolicies, routeTable, self } from '@atrium/platform/access';
import type { RunningApi } from '@atrium/platform/testing';
import { ApiModule } from '../../apps/api/src/api.module';
import { startAtrium } from '../support/api';

let api: RunningApi;
let routes: ReturnType<RoutePolicies['listRoutes']>;

beforeAll(async () => {
  api = await startAtrium();
  routes = api.app.get(RoutePolicies, { strict: false }).listRoutes();
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

const UPLOADERS = [
  'media:upload',
  'document:upload',
  'knowledge-base:upload',
  'thread:upload',
  'design:edit',
  'prompt:edit',
  'presentation:edit',
  'site:edit',
  'content:edit',
  'media:edit',
  'document:edit',
  'knowledge-base:write',
  'thread:edit',
  'task:form:edit',
];
const WORKERS = [
  ...UPLOADERS,
  'media:delete',
  'document:delete',
  'knowledge-base:delete',
  'media:publish',
  'media:tag',
  'admin:settings',
  'admin:media-tags',
];
const DOWNLOADERS = [
  'media:download',
  'document:download',
  'knowledge-base:view',
  'thread:view',
  'design:view',
  'prompt:view',
  'presentation:view',
  'site:view',
];

/**
 * What an API key may do of what is open to every member: `open` to any key, however narrow; `refused`, the person decides;
 * or it must carry one of these. Adding an operation for every member requires a decision here about what a narrowed key may do.
 */
const BY_KEY: Readonly<Record<string, 'open' | 'refused' | readonly string[]>> = {
  'DELETE /api/v1/download-jobs/:id': DOWNLOADERS,
  'DELETE /api/v1/file-jobs/:id': WORKERS,
  // Each kind of work says with which permissions a key sees it; to a key without any the list is empty.
  'DELETE /api/v1/jobs/:job_id': 'open',
  // Any key revokes and rotates itself; of others the service decides as for administrators.
  'DELETE /api/v1/me/api-keys/:id': 'open',
  'DELETE /api/v1/me/mfa/totp': 'refused',
  'DELETE /api/v1/me/privacy-requests/:id': 'refused',
  'DELETE /api/v1/me/sessions': 'refused',
  'DELETE /api/v1/me/sessions/:id': 'refused',
  'DELETE /api/v1/memories': ['thread:edit'],
  'DELETE /api/v1/memories/:id': ['thread:edit'],
  'DELETE /api/v1/share-links/:id': ['media:share'],
  'DELETE /api/v1/uploads/:id': UPLOADERS,
  // The one workspace the key belongs to.
  'GET /api/v1/auth/workspaces': 'open',
  'GET /api/v1/download-jobs': DOWNLOADERS,
  'GET /api/v1/download-jobs/:id': DOWNLOADERS,
  'GET /api/v1/file-jobs/:id': WORKERS,
  'GET /api/v1/jobs': 'open',
  'GET /api/v1/jobs/:job_id': 'open',
  'GET /api/v1/me': 'open',
  'GET /api/v1/me/api-keys': ['admin:api-keys'],
  'GET /api/v1/me/privacy-requests': 'refused',
  'GET /api/v1/me/privacy-requests/:id': 'refused',
  'GET /api/v1/me/privacy-requests/:id/download-url': 'refused',
  'GET /api/v1/me/sessions': 'refused',
  'GET /api/v1/memories': ['thread:view'],
  'GET /api/v1/permissions': 'open',
  'GET /api/v1/rate-limits': 'open',
  'GET /api/v1/roles': 'open',
  'GET /api/v1/share-links/:id': ['media:share'],
  'GET /api/v1/share-links/:id/events': ['media:share'],
  'GET /api/v1/share-links/:id/qr': ['media:share'],
  'GET /api/v1/share-links/:id/uploads': ['media:share'],
  'GET /api/v1/uploads': UPLOADERS,
  'GET /api/v1/uploads/:id': UPLOADERS,
  'GET /api/v1/usage': 'open',
  'GET /api/v1/usage/balance': 'open',
  'GET /api/v1/usage/params': 'open',
  'GET /api/v1/usage/summary': 'open',
  'GET /api/v1/users': 'open',
  'GET /api/v1/workspace': 'open',
  'GET /api/v1/workspace/brand': 'open',
  'PATCH /api/v1/me': 'refused',
  'PATCH /api/v1/me/api-keys/:id': 'open',
  'PATCH /api/v1/memories/:id': ['thread:edit'],
  'PATCH /api/v1/share-links/:id': ['media:share'],
  'POST /api/v1/me/api-keys': 'refused',
  'POST /api/v1/me/api-keys/:id/rotate': 'open',
  'POST /api/v1/me/email': 'refused',
  'POST /api/v1/me/leave': 'refused',
  'POST /api/v1/me/mfa/recovery-codes': 'refused',
  'POST /api/v1/me/mfa/totp': 'refused',
  'POST /api/v1/me/mfa/totp/verify': 'refused',
  'POST /api/v1/me/password': 'refused',
  'POST /api/v1/me/privacy-requests': 'refused',
  'POST /api/v1/memories': ['thread:edit'],
  'POST /api/v1/share-links/:id/rotate': ['media:share'],
  'POST /api/v1/share-links/:id/send': ['media:share'],
  'POST /api/v1/uploads/:id/finalize': UPLOADERS,
  'POST /api/v1/uploads/:id/parts': UPLOADERS,
};

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
      for (const wanted of [policy?.any, policy?.all])
        expect({ handler, unknown: (wanted ?? []).length - new Set(wanted).size }).toEqual({ handler, unknown: 0 });
    }
  });

  it('has each method and path once', () => {
    const seen = routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(seen.filter((route, i) => seen.indexOf(route) !== i)).toEqual([]);
  });

  it('keeps values of bodies and queries in the access log only where it says so by name: of settings, and of the names of albums', () => {
    expect(routes.flatMap(({ operation, policy }) => (policy?.log === 'full' ? [operation] : [])).sort()).toEqual([
      'copyRole',
      'createAlbum',
      'createBudget',
      'createRole',
      'previewRole',
      'updateAlbum',
      'updateBudget',
      'updateCredits',
      'updateRetention',
      'updateRole',
      'updateSettings',
    ]);
  });

  it('counts searches by POST as searches', () => {
    const isSearch = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
      method === 'POST' && /\/(?:search|saved-searches\/preview)$/.test(path);
    const searches = routes.filter(isSearch).map(({ operation, policy }) => [operation, policy?.rate]);
    expect(searches.length).toBeGreaterThan(2);
    expect(searches.filter(([, rate]) => rate !== 'search')).toEqual([]);
  });

  it('is the one in docs/routes.md', () => {
    expect(readFileSync(join(__dirname, '../../docs/routes.md'), 'utf8')).toBe(routeTable(routes));
  });

  it('is closed: without a credential every route but the public ones answers 401, and those of operators are not there', async () => {
    for (const { method, path, policy } of routes) {
      if (policy?.kind === 'public') continue;
      const answer = await fetch(api.url + path.replace(/:\w+/g, '0190163d-8694-739b-aea5-966c26f8ad91'), {
        method,
        headers: { 'X-Tenant-Id': '0190163d-8694-739b-aea5-966c26f8ad91' },
      });
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: policy?.kind === 'operator' ? 404 : 401 });
    }
  });

  it('says of each operation that is open to every member what an API key may do', () => {
    const declared = routes
      .filter(({ policy }) => policy?.kind === 'self')
      .map(({ method, path, policy }) => [`${method} ${path}`, policy?.byKey ?? 'open'] as const);
    expect(Object.fromEntries(declared)).toEqual(BY_KEY);
  });

  it('refuses a key that is too narrow there, and any key where the person decides', async () => {
    const workspace = await api.workspace();
    const narrow = await workspace.member('owner', ['task:view']);
    const refusals = routes.filter(({ policy }) => policy?.byKey !== undefined);
    expect(refusals.length).toBeGreaterThan(30);
    for (const { method, path, policy } of refusals) {
      for (const { client } of policy?.byKey === 'refused' ? [narrow, workspace.owner] : [narrow]) {
        const answer = await fetch(api.url + path.replace(/:\w+/g, '0190163d-8694-739b-aea5-966c26f8ad91'), {
          method,
          headers: { ...client.headers },
        });
        const { code, detail } = (await answer.json()) as { code: string; detail: string };
        expect({ method, path, status: answer.status, code }).toEqual({ method, path, status: 403, code: 'permission_denied' });
        if (policy?.kind === 'self')
          expect(detail).toContain(policy.byKey === 'refused' ? 'cannot be called with an API key' : 'An API key needs');
      }
    }
    await narrow.client.get('/me').expect(200);
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
