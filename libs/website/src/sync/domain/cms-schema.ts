import type { JsonObject } from '@atrium/platform/kernel';

/** A component or content type as the CMS has it. */
export interface RemoteSchema {
  readonly external_id: string;
  /** What blocks and pages name it by. */
  readonly name: string;
  readonly version: string;
  /** As the CMS sent it. */
  readonly raw: JsonObject;
}

/** Types of the content field language that values of a CMS are mapped to; `kept` has no value here and stays at the CMS. */
export type NeutralType =
  | 'text'
  | 'long_text'
  | 'rich_text'
  | 'number'
  | 'integer'
  | 'datetime'
  | 'date'
  | 'boolean'
  | 'select'
  | 'multi_select'
  | 'tags'
  | 'json'
  | 'blocks'
  | 'doc'
  | 'link'
  | 'asset'
  | 'assets'
  | 'page'
  | 'pages'
  | 'table'
  | 'foreign'
  | 'kept';

/** One field of a component: its key here, its name there, and what its values become. */
export interface MappedField {
  readonly key: string;
  readonly remote: string;
  readonly type: NeutralType;
  readonly localized: boolean;
  /** The declaration of the field at the CMS, unchanged. */
  readonly raw: JsonObject;
}

/** What cannot be carried, and why. */
export interface Unsupported {
  readonly path: string;
  readonly reason: string;
}

/** A component of a CMS as a content schema. The declaration is kept, so that what has no equivalent survives the way back. */
export interface MappedSchema {
  readonly tpl_key: string;
  readonly tpl_name: string;
  readonly tpl_kind: 'page' | 'block' | 'both';
  readonly tpl_config: JsonObject;
  readonly remote: RemoteSchema;
  readonly fields: readonly MappedField[];
  readonly unsupported: readonly Unsupported[];
}

/** The content schema that is sent to a CMS. */
export type SchemaDraft = Pick<MappedSchema, 'tpl_key' | 'tpl_name' | 'tpl_kind' | 'tpl_config'>;

/** The schemas of a site's library, found by the name of either side. */
export class SchemaBook {
  private readonly local: ReadonlyMap<string, MappedSchema>;
  private readonly remote: ReadonlyMap<string, MappedSchema>;

  constructor(readonly schemas: readonly MappedSchema[]) {
    this.local = new Map(schemas.map((schema) => [schema.tpl_key, schema]));
    this.remote = new Map(schemas.map((schema) => [schema.remote.name, schema]));
  }

  findByKey(tpl_key: string): MappedSchema | undefined {
    return this.local.get(tpl_key);
  }

  findByName(name: string): MappedSchema | undefined {
    return this.remote.get(name);
  }
}
