import { newId } from '@atrium/platform/kernel';
import { eventually, type Client } from '@atrium/platform/testing';

export interface Schema {
  readonly form_id: string;
  readonly form_name: string;
  readonly form_revision: number;
  readonly form_active: boolean;
  readonly form_object_count: number;
  readonly form_config: { readonly fields?: readonly Record<string, unknown>[] };
  readonly form_migration: { readonly status: string; readonly done: number } | null;
}

export interface Obj {
  readonly obj_id: string;
  readonly obj_form: string;
  readonly obj_name: string;
  readonly obj_content: Record<string, unknown>;
  readonly obj_version: number;
  readonly obj_terms: string[];
  readonly obj_locked_fields: string[];
  readonly obj_issues: { readonly field: string; readonly code: string }[];
}

/** A field of a schema: `field('price', 'number', { filterable: true })`. */
export const field = (key: string, type: string, more: object = {}): Record<string, unknown> => ({ key, type, label: key, ...more });

export const NAME = field('name', 'text', { required: true });

/** A schema whose objects are named by their field `name`. */
export const makeSchema = async (client: Client, fields: readonly object[] = [], more: object = {}, config: object = {}): Promise<Schema> =>
  (
    await client
      .post('/object-schemas', {
        form_name: `Schema ${newId()}`,
        form_config: { title: 'name', fields: [NAME, ...fields], ...config },
        ...more,
      })
      .expect(201)
  ).body as Schema;

export const readSchema = async (client: Client, form_id: string): Promise<Schema> =>
  (await client.get(`/object-schemas/${form_id}`).expect(200)).body as Schema;

/** Another configuration, title kept. */
export const reshape = (client: Client, form_id: string, fields: readonly object[], more: object = {}) =>
  client.patch(`/object-schemas/${form_id}`, { form_config: { title: 'name', fields: [NAME, ...fields] }, ...more });

/** Once stored objects have followed the last change of their schema. */
export const followed = (client: Client, form_id: string): Promise<Schema> =>
  eventually(
    () => readSchema(client, form_id),
    ({ form_migration }) => form_migration === null || form_migration.status === 'done',
    60_000,
  );

export const makeObject = async (client: Client, obj_form: string, obj_content: object = {}, more: object = {}): Promise<Obj> =>
  (await client.post('/objects', { obj_form, obj_content: { name: 'Thing', ...obj_content }, ...more }).expect(201)).body as Obj;

export const readObject = async (client: Client, obj_id: string, query = ''): Promise<Obj> =>
  (await client.get(`/objects/${obj_id}${query}`).expect(200)).body as Obj;

export const listObjects = async (client: Client, query = ''): Promise<{ data: Obj[]; has_more: boolean; next_cursor: string | null }> =>
  (await client.get(`/objects${query}`).expect(200)).body as { data: Obj[]; has_more: boolean; next_cursor: string | null };

export const names = ({ data }: { readonly data: readonly Obj[] }): string[] => data.map(({ obj_name }) => obj_name);
