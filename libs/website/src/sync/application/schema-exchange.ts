import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type WorkOutcome } from '@atrium/platform/database';
import { asJson, Problem } from '@atrium/platform/kernel';
import { PermanentFailure } from '@atrium/platform/messaging';
import { ContentSchemasService } from '../../schemas/application/content-schemas.service';
import type { ContentSchema } from '../../schemas/domain/content-schema';
import type { MappedSchema, RemoteSchema } from '../domain/cms-schema';
import { SchemaBook } from '../domain/cms-schema';
import type { SyncRun } from '../domain/sync-run';
import { CmsComponentRows } from '../infrastructure/cms-components.rows';
import { MirrorLibrary } from './mirror-library';
import type { CmsSession } from './cms-sessions';
import { SyncRuns } from './sync-runs';

/** What an exchange of schemas came to. */
export interface ExchangedSchemas {
  readonly created: number;
  readonly updated: number;
  readonly deactivated: number;
  readonly unsupported: readonly { readonly tpl_key: string; readonly reason: string }[];
}

/** Mirrors components of the CMS as content schemas, and sends content schemas to it. Nothing is ever deleted there. */
@Injectable()
export class SchemaExchange {
  constructor(
    private readonly db: Database,
    private readonly components: CmsComponentRows,
    private readonly mirror: MirrorLibrary,
    private readonly schemas: ContentSchemasService,
    private readonly runs: SyncRuns,
  ) {}

  async exchange(session: CmsSession, run: SyncRun): Promise<WorkOutcome> {
    const by = await this.runs.findActing(run);
    if (!by) throw new PermanentFailure('Schemas are exchanged only on request of a member.');
    const done = run.direction === 'schemas_pull' ? await this.pull(session, by) : await this.push(session, run);
    const { created, updated, deactivated: deleted } = done;
    await this.db.write(async () => {
      await this.runs.recordStep(run, { done: created + updated + deleted, created, updated, deleted, total: created + updated + deleted });
      await this.runs.storeResult(run, asJson(done));
    });
    return { status: 'completed' };
  }

  private async pull({ site, port, call, exchange, connection }: CmsSession, by: Principal): Promise<ExchangedSchemas> {
    const remote = await port.listSchemas(call);
    const mapped = port.mapping.toSchemas(remote, exchange.context.schemas.schemas, exchange.context.settings);
    const library = await this.mirror.requireMirror(site, connection);
    const here = new Map((await this.mirror.listSchemas(library)).map((schema) => [schema.tpl_key, schema]));
    const counts = { created: 0, updated: 0, deactivated: 0 };
    for (const schema of mapped) {
      const known = here.get(schema.tpl_key);
      if (!known) counts.created += 1;
      else if (!isSame(known, schema)) counts.updated += 1;
      const { tpl_id } = known ?? (await this.schemas.create(by, { tpl_library: library, ...factsOf(schema), tpl_key: schema.tpl_key }));
      if (known && !isSame(known, schema)) await this.schemas.change(by, tpl_id, { ...factsOf(schema), tpl_active: true });
      await this.mirror.recordExternal(tpl_id, connection.cms_provider, schema.remote);
    }
    const names = new Set(mapped.map(({ tpl_key }) => tpl_key));
    for (const { tpl_id, tpl_key, tpl_active, tpl_external } of here.values()) {
      if (names.has(tpl_key) || !tpl_active || !Object.hasOwn(tpl_external, connection.cms_provider)) continue;
      await this.schemas.deactivate(tpl_id);
      counts.deactivated += 1;
    }
    await this.db.write(() => this.components.replaceBook(site.site_id, mapped));
    return { ...counts, unsupported: unsupportedOf(mapped) };
  }

  private async push({ site, port, call, exchange, connection }: CmsSession, { request }: SyncRun): Promise<ExchangedSchemas> {
    const remote = await port.listSchemas(call);
    const known = exchange.context.schemas;
    const wanted = request.templateIds && new Set(request.templateIds);
    const here = (await this.mirror.listSchemas(site.site_library)).filter(
      ({ tpl_id, tpl_active }) => tpl_active && (wanted?.has(tpl_id) ?? true),
    );
    if (wanted && here.length < wanted.size)
      throw new Problem('not_found', 'A content schema is not an active schema of the library of the site.');
    const counts = { created: 0, updated: 0, deactivated: 0 };
    const unsupported: { tpl_key: string; reason: string }[] = [];
    const sent = new Map<string, RemoteSchema>();
    const book = new SchemaBook(port.mapping.toSchemas(remote, known.schemas, exchange.context.settings));
    for (const schema of here) {
      const draft = port.mapping.toRemoteSchema(schema, book);
      unsupported.push(...draft.unsupported.map(({ path, reason }) => ({ tpl_key: schema.tpl_key, reason: `${path}: ${reason}` })));
      const seen = book.findByKey(schema.tpl_key)?.remote ?? null;
      if (seen && isDeepStrictEqual(seen.raw, draft.raw)) continue;
      sent.set(schema.tpl_id, await port.writeSchema(call, draft.raw, seen));
      counts[seen ? 'updated' : 'created'] += 1;
    }
    const after = sent.size === 0 ? remote : await port.listSchemas(call);
    const mapped = port.mapping.toSchemas(after, book.schemas, exchange.context.settings);
    for (const [tpl_id, schema] of sent) await this.mirror.recordExternal(tpl_id, connection.cms_provider, schema);
    await this.db.write(() => this.components.replaceBook(site.site_id, mapped));
    return { ...counts, unsupported };
  }
}

const factsOf = ({ tpl_name, tpl_kind, tpl_config }: MappedSchema): Pick<MappedSchema, 'tpl_name' | 'tpl_kind' | 'tpl_config'> => ({
  tpl_name,
  tpl_kind,
  tpl_config,
});

const isSame = (known: ContentSchema, { tpl_name, tpl_kind, tpl_config }: MappedSchema): boolean =>
  known.tpl_active && known.tpl_name === tpl_name && known.tpl_kind === tpl_kind && isDeepStrictEqual(known.tpl_config, tpl_config);

const unsupportedOf = (mapped: readonly MappedSchema[]): ExchangedSchemas['unsupported'] =>
  mapped.flatMap(({ tpl_key, unsupported }) => unsupported.map(({ path, reason }) => ({ tpl_key, reason: `${path}: ${reason}` })));
