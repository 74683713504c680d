// The files of a thin area by their paths: one folder, the layers shown by the suffixes.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';
import { testText } from './area-test.mjs';

export function areaFiles(names, policy) {
  const { context, resource, plural } = names;
  const area = `libs/${context}/src/${plural}`;
  return {
    [`${area}/${plural}.module.ts`]: areaModule(names),
    [`${area}/${resource}.ts`]: entity(names),
    [`${area}/${plural}.repository.ts`]: repository(names),
    [`${area}/${plural}.service.ts`]: service(names),
    [`${area}/${plural}.dto.ts`]: dto(names),
    [`${area}/${plural}.controller.ts`]: controller(names, policy),
    [`migrations/${nextStep()}-${resource}.sql`]: migration(names),
    [`test/${context}/${plural}.e2e-spec.ts`]: testText(names, policy),
  };
}

function nextStep() {
  const steps = readdirSync(join(projectRoot, 'migrations')).map((file) => Number(/^(\d{4})-/.exec(file)?.[1] ?? 0));
  return String(Math.max(0, ...steps) + 1).padStart(4, '0');
}

const areaModule = ({ Resources, plural, nouns }) => {
  const all = plural.replaceAll('-', '_').toUpperCase();
  return `import { Module, type Provider } from '@nestjs/common';
import { ${Resources}Controller } from './${plural}.controller';
import { ${Resources}Repository } from './${plural}.repository';
import { ${Resources}Service } from './${plural}.service';

const ${all}: Provider[] = [${Resources}Repository, ${Resources}Service];

/** ${nouns.charAt(0).toUpperCase() + nouns.slice(1)} of a workspace. */
@Module({ providers: ${all}, exports: ${all} })
export class ${Resources}Module {}

/** Its routes. */
@Module({ imports: [${Resources}Module], controllers: [${Resources}Controller] })
export class ${Resources}HttpModule {}
`;
};

const entity = ({
  Resource,
  table,
  prefix,
  noun,
  article,
}) => `import { Flag, Id, Json, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import type { Clock, JsonObject } from '@atrium/platform/kernel';

/** ${article === 'an' ? 'An' : 'A'} ${noun} of one workspace. */
@Resource({ table: '${table}', sort: '-${prefix}_created' })
export class ${Resource} extends TenantRow {
  @Id({ about: 'Id of the ${noun}.' }) readonly ${prefix}_id!: string;
  @Text({ min: 1, about: 'Name; need not be unique.', example: 'Harbour', filter: 'contains', sort: true }) ${prefix}_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Description of the ${noun}.', filter: 'contains' }) ${prefix}_description!: string | null;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: { client: 'ACME' } }) ${prefix}_metadata!: JsonObject;
  @Flag({ about: 'Whether the ${noun} is active.', example: true, filter: 'equals' }) ${prefix}_active!: boolean;
  @Stamp({ about: 'When the ${noun} was created.', filter: 'range', sort: true }) ${prefix}_created!: Date;
  @Stamp({ about: 'When the ${noun} was last changed.', filter: 'range', sort: true }) ${prefix}_updated!: Date;

  touch(clock: Clock): void {
    this.${prefix}_updated = clock.now();
  }
}
`;

const repository = ({ Resource, Resources, resource, table, prefix, noun, nouns, article }) => `import { Injectable } from '@nestjs/common';
import { columnsOf, Database, listPage, requireScope, ResourceRepository, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { ${Resource} } from './${resource}';

/** ${article === 'an' ? 'An' : 'A'} ${noun} as it is stored. */
export type ${Resource}Row = Omit<${Resource}, 'touch' | 'tenant_id' | 'row_version'>;

/** Stored ${nouns}. */
@Injectable()
export class ${Resources}Repository extends ResourceRepository<${Resource}> {
  constructor(db: Database) {
    super(db, ${Resource}, '${noun}');
  }

  list${Resources}(query: ListParameters): Promise<Page<${Resource}Row>> {
    return listPage<${Resource}Row>(this.db.current(), ${Resource}, query);
  }

  find${Resource}Row(id: string): Promise<(${Resource}Row & { row_version: number }) | undefined> {
    return this.db.current().first<${Resource}Row & { row_version: number }>(
      sql\`SELECT \${columnsOf(${Resource})}, r.row_version FROM ${table} r WHERE r.tenant_id = \${requireScope().tenant_id} AND r.${prefix}_id = \${id}\`,
    );
  }
}
`;

const service = ({
  Resource,
  Resources,
  resource,
  plural,
  variable,
  variables,
  table,
  prefix,
  noun,
  nouns,
  article,
}) => `import { Injectable } from '@nestjs/common';
import { Database, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { ${Resource} } from './${resource}';
import { ${Resources}Repository, type ${Resource}Row } from './${plural}.repository';

/** ${article === 'an' ? 'An' : 'A'} ${noun} as clients see it; a read brings its version, which becomes the ETag. */
export type ${Resource}Answer = ${Resource}Row & { readonly row_version?: number };

export interface ${Resource}Facts {
  readonly ${prefix}_name?: string;
  readonly ${prefix}_description?: string | null;
  readonly ${prefix}_metadata?: JsonObject;
  readonly ${prefix}_active?: boolean;
}

/** What may be done with ${nouns}. */
@Injectable()
export class ${Resources}Service {
  constructor(
    private readonly db: Database,
    private readonly ${variables}: ${Resources}Repository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<${Resource}Answer>> {
    return this.db.read(() => this.${variables}.list${Resources}(query));
  }

  get(id: string): Promise<${Resource}Answer> {
    return this.db.read(() => this.read(id));
  }

  create(facts: ${Resource}Facts & { readonly ${prefix}_name: string }): Promise<${Resource}Answer> {
    return this.db.write(async () => {
      const now = this.clock.now();
      const ${variable} = Object.assign(new ${Resource}(), {
        ${prefix}_id: this.ids.next(),
        ${prefix}_name: facts.${prefix}_name,
        ${prefix}_description: facts.${prefix}_description ?? null,
        ${prefix}_metadata: facts.${prefix}_metadata ?? {},
        ${prefix}_active: facts.${prefix}_active ?? true,
        ${prefix}_created: now,
        ${prefix}_updated: now,
      });
      await this.${variables}.insert(${variable});
      this.outbox.emitEvent({ name: '${table}.created', subject_id: ${variable}.${prefix}_id, payload: { ${prefix}_name: ${variable}.${prefix}_name } });
      return this.read(${variable}.${prefix}_id);
    });
  }

  change(id: string, facts: ${Resource}Facts, precondition?: Precondition): Promise<${Resource}Answer> {
    return this.db.write(async () => {
      const ${variable} = await this.${variables}.lock(id, precondition);
      if (facts.${prefix}_name !== undefined) ${variable}.${prefix}_name = facts.${prefix}_name;
      if (facts.${prefix}_description !== undefined) ${variable}.${prefix}_description = facts.${prefix}_description;
      if (facts.${prefix}_metadata !== undefined) ${variable}.${prefix}_metadata = facts.${prefix}_metadata;
      if (facts.${prefix}_active !== undefined) ${variable}.${prefix}_active = facts.${prefix}_active;
      ${variable}.touch(this.clock);
      await this.${variables}.save(${variable});
      this.outbox.emitEvent({ name: '${table}.updated', subject_id: id, payload: { changed: Object.keys(facts) } });
      return this.read(id);
    });
  }

  remove(id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const ${variable} = await this.${variables}.lock(id, precondition);
      await this.${variables}.remove(${variable});
      this.outbox.emitEvent({ name: '${table}.deleted', subject_id: id, payload: { ${prefix}_name: ${variable}.${prefix}_name } });
    });
  }

  private async read(id: string): Promise<${Resource}Answer> {
    const row = await this.${variables}.find${Resource}Row(id);
    if (!row) throw notFound('${noun}');
    return row;
  }
}
`;

const dto = ({ Resource, Resources, resource, prefix }) => `import { Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { ${Resource} } from './${resource}';

const OPTIONAL = ['${prefix}_description', '${prefix}_metadata', '${prefix}_active'] as const;

export class Create${Resource} extends Body(${Resource}, { required: ['${prefix}_name'], optional: OPTIONAL }) {}

export class Change${Resource} extends Body(${Resource}, { optional: ['${prefix}_name', ...OPTIONAL] }) {}

export class List${Resources} extends ListQuery(${Resource}) {}

@Answer()
export class ${Resource}View extends View(${Resource}) {}

export class ${Resource}Page extends PageOf(${Resource}View) {}
`;

const controller = (
  { Resource, Resources, plural, variables, prefix, noun, nouns, tag, article },
  { view, edit, remove },
) => `import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Policy } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Returns, ReturnsResource } from '@atrium/platform/http';
import { Change${Resource}, Create${Resource}, List${Resources}, ${Resource}Page, ${Resource}View } from './${plural}.dto';
import { ${Resources}Service, type ${Resource}Answer } from './${plural}.service';

@ApiTags('${tag}')
@Controller('${plural}')
export class ${Resources}Controller {
  constructor(private readonly ${variables}: ${Resources}Service) {}

  /**
   * Lists ${nouns}.
   *
   * The newest come first.
   */
  @Get()
  @Policy({ any: ['${view}'] })
  @Returns(${Resource}Page, 'A page of ${nouns}.')
  list(@Query() query: List${Resources}): Promise<Page<${Resource}Answer>> {
    return this.${variables}.list(query);
  }

  /**
   * Creates ${article} ${noun}.
   */
  @Post()
  @Policy({ any: ['${edit}'] })
  @Creates(${Resource}View, '${plural}/{${prefix}_id}')
  create(@FromBody() body: Create${Resource}): Promise<${Resource}Answer> {
    return this.${variables}.create(body);
  }

  /**
   * Reads ${article} ${noun}.
   */
  @Get(':id')
  @Policy({ any: ['${view}'] })
  @HasId('id', 'Id of the ${noun}.')
  @ReturnsResource(${Resource}View)
  get(@PathId() id: string): Promise<${Resource}Answer> {
    return this.${variables}.get(id);
  }

  /**
   * Changes ${article} ${noun}.
   *
   * Omitted fields stay as they are.
   */
  @Patch(':id')
  @Policy({ any: ['${edit}'] })
  @HasId('id', 'Id of the ${noun}.')
  @HonoursIfMatch()
  @ReturnsResource(${Resource}View)
  change(@PathId() id: string, @FromBody() body: Change${Resource}, @IfMatch() precondition?: Precondition): Promise<${Resource}Answer> {
    return this.${variables}.change(id, body, precondition);
  }

  /**
   * Deletes ${article} ${noun}.
   */
  @Delete(':id')
  @Policy({ any: ['${remove}'] })
  @HasId('id', 'Id of the ${noun}.')
  @HonoursIfMatch()
  @Deletes()
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.${variables}.remove(id, precondition);
  }
}
`;

const migration = ({ table, prefix, nouns }) => `-- ${nouns.charAt(0).toUpperCase() + nouns.slice(1)} of a workspace.
CREATE TABLE ${table} (
  tenant_id uuid NOT NULL REFERENCES workspace,
  ${prefix}_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  ${prefix}_name text NOT NULL,
  ${prefix}_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(${prefix}_name, 64))) STORED,
  ${prefix}_description text,
  ${prefix}_metadata jsonb NOT NULL DEFAULT '{}',
  ${prefix}_active boolean NOT NULL DEFAULT true,
  ${prefix}_created timestamptz(3) NOT NULL DEFAULT now(),
  ${prefix}_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, ${prefix}_id)
);
CREATE INDEX ${table}_created ON ${table} (tenant_id, ${prefix}_created, ${prefix}_id);
CREATE INDEX ${table}_updated ON ${table} (tenant_id, ${prefix}_updated, ${prefix}_id);
CREATE INDEX ${table}_name ON ${table} (tenant_id, ${prefix}_name_key, ${prefix}_id);
CALL make_tenant_table('${table}');
`;
