import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApi, serveDocs } from '@atrium/platform/http';
import { PlainStatements, testDatabase, type TestDatabase } from '../postgres';
import { Client } from './client';
import { watchCalls } from './described-calls';
import { freePort } from './free-port';

export type BuiltInRoleKey = 'owner' | 'admin' | 'editor' | 'contributor' | 'viewer';

export const TEST_PASSWORD = 'a password for tests only';

/** What the harness needs of the context that knows people; the test passes its provisioning service. */
export interface Provisioner {
  createWorkspace(spec: {
    ws_name: string;
    ws_slug: string;
    modules: readonly string[];
    owner: { user_email: string; user_name: string; password?: string };
  }): Promise<{ ws_id: string; owner_user_id: string }>;
  addUser(
    tenant_id: string,
    member: { user_email: string; user_name: string; password?: string },
    role_keys: readonly string[],
  ): Promise<{ user_id: string }>;
  createKey(
    tenant_id: string,
    key: { key_name: string; user_email: string; scopes?: readonly string[] },
  ): Promise<{ key_id: string; key_secret: string }>;
}

export interface Member {
  readonly user_id: string;
  readonly email: string;
  readonly client: Client;
  readonly key_id: string;
}

/** A workspace of a test: its owner, and further members on request. */
export class TestWorkspace {
  private count = 0;

  constructor(
    private readonly api: RunningApi,
    readonly tenant_id: string,
    readonly slug: string,
    readonly owner: Member,
  ) {}

  /** A member with one built-in role, calling with a key of its own (narrowed by `scopes`). */
  async member(role: BuiltInRoleKey, scopes?: readonly string[]): Promise<Member> {
    const email = `${role}-${++this.count}@${this.slug}.example`;
    const { user_id } = await this.api.provisioner.addUser(this.tenant_id, { user_email: email, user_name: `${role} ${this.count}` }, [
      role,
    ]);
    return this.api.memberWithKey(this.tenant_id, user_id, email, scopes);
  }
}

/** The API on a port of its own, with its own database and object folder. */
export class RunningApi {
  private workspaces = 0;
  private readonly companions: INestApplicationContext[] = [];
  private readonly statements = new PlainStatements();

  constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly database: TestDatabase,
    readonly dataDir: string,
    readonly provisioner: Provisioner,
    /** What it was started with; processes that a test starts get the same. */
    readonly environment: Readonly<Record<string, string>>,
  ) {}

  async workspace(modules: readonly string[] = []): Promise<TestWorkspace> {
    const slug = `ws-${++this.workspaces}-${Date.now().toString(36)}`;
    const email = `owner@${slug}.example`;
    const { ws_id, owner_user_id } = await this.provisioner.createWorkspace({
      ws_name: slug,
      ws_slug: slug,
      modules,
      owner: { user_email: email, user_name: 'Owner', password: TEST_PASSWORD },
    });
    return new TestWorkspace(this, ws_id, slug, await this.memberWithKey(ws_id, owner_user_id, email));
  }

  async memberWithKey(tenant_id: string, user_id: string, email: string, scopes?: readonly string[]): Promise<Member> {
    const { key_id, key_secret } = await this.provisioner.createKey(tenant_id, {
      key_name: 'test',
      user_email: email,
      ...(scopes ? { scopes } : {}),
    });
    return { user_id, email, key_id, client: new Client(this.url, { 'X-Api-Key': key_secret, 'X-Tenant-Id': tenant_id }) };
  }

  /** Somebody without a credential. */
  get stranger(): Client {
    return new Client(this.url, {});
  }

  /** A worker in this process, on the same database and objects; ends with the API. */
  async startWorker(module: Type | DynamicModule): Promise<INestApplicationContext> {
    const worker = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    await worker.init();
    this.companions.push(worker);
    return worker;
  }

  /** The first worker that was started beside it. */
  get worker(): INestApplicationContext {
    const [worker] = this.companions;
    if (!worker) throw new Error('No worker runs beside this API.');
    return worker;
  }

  /** One statement as the owner of the database, past every policy: for arranging what no operation can. */
  sql<R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.statements.run(this.database.ownerUrl, text, values);
  }

  /** One statement as the service's restricted role, with no workspace set. */
  sqlAsService<R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.statements.run(this.database.appUrl, text, values);
  }

  async close(): Promise<void> {
    for (const companion of this.companions) await companion.close();
    await this.app.close();
    await this.statements.end();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Starts the composed API for one test file. `provisioner` names the class that makes workspaces and people. */
export async function startApi(
  root: Type | DynamicModule,
  provisioner: Type<Provisioner>,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningApi> {
  watchCalls();
  const database = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-test-'));
  const port = await freePort();
  const settings = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATABASE_POOL: '8',
    DATA_DIR: dataDir,
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    AUTH_PASSWORD_MEMORY_KIB: '1024',
    RATE_LIMITS: ['read', 'write', 'ai', 'upload', 'search', 'admin-report', 'auth', 'workspace']
      .map((kind) => `${kind}=1000000`)
      .join(','),
    ...environment,
  };
  Object.assign(process.env, settings);
  const app = await createApi(root);
  serveDocs(app);
  await app.listen(port, '127.0.0.1');
  return new RunningApi(app, `http://127.0.0.1:${port}`, database, dataDir, app.get(provisioner, { strict: false }), settings);
}
