import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '@atrium/platform/config';
import { load } from 'js-yaml';

const DOCKER = join(__dirname, '../../docker');
const MERGED = '<<';
/** Decided by the images, or asked for by one service alone. */
const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'DATABASE_OWNER_URL'];
const RESERVED = 3;
const FOR_OPERATORS = 10;

interface Service {
  readonly image?: string;
  readonly restart?: string;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly command?: readonly string[];
  readonly deploy?: { readonly replicas: number };
}

/** The mapping with what it merges in beneath it. */
function merged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(merged);
  if (typeof value !== 'object' || value === null) return value;
  const { [MERGED]: below, ...own } = value as Record<string, unknown>;
  return { ...(merged(below) as object | undefined), ...Object.fromEntries(Object.entries(own).map(([name, one]) => [name, merged(one)])) };
}

const text = readFileSync(join(DOCKER, 'compose.yaml'), 'utf8');
const { services } = merged(load(text)) as { readonly services: Readonly<Record<string, Service>> };
const lasting = Object.entries(services).filter(([, { restart }]) => restart !== 'no');
const settings = (name: string): string[] => Object.keys(services[name]?.environment ?? {});

describe('the composition', () => {
  it.each(['api', 'worker', 'migrate'])('passes every setting to %s, and none that there is not', (name) => {
    const passed = settings(name).filter((setting) => !FIXED.includes(setting));
    expect(passed.sort()).toEqual(
      Object.keys(SETTINGS)
        .filter((setting) => !FIXED.includes(setting))
        .sort(),
    );
  });

  it('asks each service that stays whether it is well', () => {
    expect(lasting.map(([name]) => name).sort()).toEqual(['api', 'postgres', 'proxy', 's3', 'valkey', 'worker']);
    expect(lasting.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name)).toEqual([]);
  });

  it('migrates as the owner of the database, and only the step that makes that role is a superuser', () => {
    expect(services.migrate?.environment?.DATABASE_OWNER_URL).toMatch(/^postgres:\/\/atrium_owner:/);
    const asSuperuser = Object.entries(services).filter(([, { environment }]) =>
      JSON.stringify(environment ?? {}).includes('POSTGRES_PASSWORD'),
    );
    expect(asSuperuser.map(([name]) => name).sort()).toEqual(['owner', 'postgres']);
    for (const host of ['api', 'worker']) expect(settings(host)).not.toContain('DATABASE_OWNER_URL');
  });

  it('names every image by an exact version that can be replaced by a digest', () => {
    const images = Object.values(services)
      .map(({ image }) => image ?? '')
      .filter((image) => !image.startsWith('atrium-'));
    for (const image of images) expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-[a-z/]+:\d+\.\d+[a-z0-9.-]*\}$/);
    const [, node = ''] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(readFileSync(join(DOCKER, 'Dockerfile'), 'utf8')) ?? [];
    expect(node).toMatch(/^24\.\d+\.\d+$/);
    expect(text.match(/node:[\d.]+/g)?.every((image) => image === `node:${node}`)).toBe(true);
  });

  it('has connections for all its processes and for the people who operate them', () => {
    const most = Number(/max_connections=(\d+)/.exec(services.postgres?.command?.join(' ') ?? '')?.[1]);
    const processes = (services.api?.deploy?.replicas ?? 0) + (services.worker?.deploy?.replicas ?? 0);
    const pool = Number((SETTINGS.DATABASE_POOL as { readonly default?: number }).default ?? 20);
    // Old and new processes stand beside each other while an update rolls.
    expect(2 * processes * (pool + 1) + FOR_OPERATORS).toBeLessThanOrEqual(most - RESERVED);
  });
});
