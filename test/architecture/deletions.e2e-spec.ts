import { deactivationOf, fieldsOf, resourceOf } from '@atrium/platform/database';
import type { RunningApi } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { productResources } from './product-resources';

/** Flags that switch something on and off, whatever becomes of its row, with what their contract says of them. */
const SWITCHES: Readonly<Record<string, string>> = {
  'album.album_active': 'inactive: hidden from lists unless filtered, still readable by id',
  'approval_flow.caf_active': 'false on create; DELETE: inactive, and POST …/activate',
  'budget.bud_active': 'the budget applies',
  'distribution_restriction.dr_active': 'the restriction applies',
  'document_relation_type.rt_active': 'always true',
  'issuer.iss_active': 'its tokens are accepted',
  'knowledge_crawl.crw_active': 'the schedule is active',
  'media_analysis_schema.mas_active': 'new analyses can use it',
  'media_status_flow.msf_active': 'activating one deactivates the other',
  'media_tag.mt_active': 'can be assigned',
  'media_tag_group.mtg_active': 'its tags can be assigned',
  'memory.mem_active': 'toggled',
  'message.msg_active': 'deleted with what follows it, or with its thread; has no DELETE of its own to be asked again',
  'model_provider.mp_active': 'its models can be used',
  'object_flow.olf_active': 'false on create; DELETE: inactive, and POST …/activate',
  'object_source.osr_active': 'inactive sources do not run',
  'share_link.share_active': 'shows an end: a revoked link is never active again',
  'social_slot.sls_active': 'the slot gives times',
  'storage_provider.sto_active': 'the provider can be used',
};

/** Unique indexes that a deleted row stays in. */
const KEPT: ReadonlySet<string> = new Set([
  // A row of a source keeps its id there: the next pass finds it, deleted or not.
  'object_of_source',
  // There is one of them, and it is never deleted.
  'content_library_standard',
  // A public key is never given to another site.
  'site_site_key_key',
]);

/** Whether the condition of an index leaves out rows whose flag is false: the flag is all of it, or is combined by AND. */
function isOfActiveRows(indexdef: string, flag: string): boolean {
  const condition = / WHERE (.*)$/.exec(indexdef)?.[1] ?? '';
  return !/\bOR\b/.test(condition) && condition.split(' AND ').some((part) => part.replace(/[()]/g, '') === flag);
}

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtrium();
});
afterAll(() => api.close());

const flags = (): { readonly type: Function; readonly table: string; readonly flag: string }[] =>
  productResources().flatMap((type) =>
    [...fieldsOf(type).values()]
      .filter(({ name, kind }) => kind === 'flag' && name.endsWith('_active'))
      .map(({ name }) => ({ type, table: resourceOf(type).table, flag: name })),
  );

describe('a flag that says whether a row is active', () => {
  it.each([
    ['WHERE form_active', true],
    ['WHERE (form_active AND (form_kind = 1))', true],
    ['WHERE ((form_kind = 1) AND form_active)', true],
    ['WHERE (NOT form_active)', false],
    ['WHERE (form_active OR (form_kind = 1))', false],
    ['WHERE (form_active = false)', false],
    ['(form_active, form_name)', false],
  ])('frees what is unique by an index %s: %s', (condition, frees) => {
    expect(isOfActiveRows(`CREATE UNIQUE INDEX x ON public.form USING btree (tenant_id) ${condition}`, 'form_active')).toBe(frees);
  });

  it('is declared as the mark of a deletion, or is known as a switch', () => {
    const undecided = flags().filter(({ type, flag }) => deactivationOf(type)?.flag !== flag);
    expect([...new Set(undecided.map(({ table, flag }) => `${table}.${flag}`))].sort()).toEqual(Object.keys(SWITCHES).sort());
  });

  it('frees what is unique in a row that was deleted', async () => {
    const held: string[] = [];
    for (const { type, table, flag } of flags()) {
      if (deactivationOf(type)?.flag !== flag) continue;
      const unique = await api.sql<{ indexname: string; indexdef: string }>(
        `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = $1 AND indexdef LIKE 'CREATE UNIQUE%'`,
        [table],
      );
      // An index with the id keeps no two rows apart: references from other tables point at it.
      const { id } = resourceOf(type);
      for (const { indexname, indexdef } of unique)
        if (!isOfActiveRows(indexdef, flag) && !new RegExp(`\\b${id}\\b`).test(indexdef)) held.push(indexname);
    }
    expect(held).toEqual([...KEPT]);
  });
});
