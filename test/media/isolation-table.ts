import type { Held } from './furnishing';

/** How an operation is asked, and what it must answer: a refusal, an empty list, this much (files were passed over), a job that finds nothing, or what is the caller's own. */
export interface Asked {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | object>>;
  readonly body?: object;
  readonly answer: 400 | 404 | 409 | 501 | 'empty' | 'job of nothing' | 'own' | Readonly<Record<string, unknown>>;
}

/** `own` is of the caller's workspace, `named` of another one, or of none. */
export type Ask = (own: Held, named: Held) => Asked;

const BOX = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
const FIELDS = [{ name: 'camera', type: 'string', source: 'metadata', path: 'system.camera' }];
const carries = (named: Held, scope = 'album', op = scope === 'album' ? 'in_any' : 'has_any'): object => ({
  where: { field: scope, op, value: [named[scope as 'album']] },
});
const flowBy = (user: string): object => ({
  ...{
    msf_name: 'Forged',
    msf_scope: ['generated'],
    msf_active: false,
    msf_states: [
      { key: 'draft', label: 'Draft', initial: true },
      { key: 'done', label: 'Done' },
    ],
  },
  msf_transitions: [{ from: 'draft', to: 'done', movers: { users: [user] } }],
});

/** The operations that answer the library's files take the same filters. */
const filters: readonly Ask[] = [
  (_, { file }) => ({ query: { file_id: file }, answer: 'empty' }),
  (_, { album }) => ({ query: { album_any: album }, answer: 'empty' }),
  (_, { person }) => ({ query: { person }, answer: 'empty' }),
  (_, { user }) => ({ query: { file_added_by: user }, answer: 'empty' }),
  (_, { groupName, tagName }) => ({ query: { tag: `${groupName}:${tagName}` }, answer: 'empty' }),
  (_, { tag }) => ({ query: { tag }, answer: 'empty' }),
  (_, { search }) => ({ query: { saved_search: search }, answer: 404 }),
  (_, { query }) => ({ query: { saved_search: query }, answer: 404 }),
  (_, named) => ({ query: { query: carries(named) }, answer: 'empty' }),
  (_, named) => ({ query: { query: carries(named, 'person') }, answer: 'empty' }),
];
const OF_ALBUM: Ask = (_, { album }) => ({ query: { album }, answer: 'empty' });
const SIMILAR: Ask = (_, { file }) => ({ query: { similar_to: file }, answer: 404 });
const OWN: Ask = () => ({ answer: 'own' });
const at =
  (kind: keyof Held, body?: object): Ask =>
  (_, named) => ({ id: named[kind], ...(body && { body }), answer: 404 });
/** The filters of files below something of the caller's own. */
const below = (kind: keyof Held, asks: readonly Ask[]): Ask[] => asks.map((ask) => (own, named) => ({ ...ask(own, named), id: own[kind] }));

/** Every operation of the media context, by its method and path. */
export const OPERATIONS: Readonly<Record<string, readonly Ask[]>> = {
  'GET /media-files': [OWN, OF_ALBUM, ...filters, SIMILAR],
  'GET /media-files/facets': [OWN, OF_ALBUM, ...filters],
  'GET /media-files/timeline': [OWN, OF_ALBUM, ...filters],
  'GET /media-files/formats': [OWN, OF_ALBUM],
  'GET /media-files/{id}': [at('file')],
  'GET /media-files/duplicates': [OWN, (_, { duplicate }) => ({ query: { dup_id: duplicate }, answer: 'empty' })],
  'POST /media-files/duplicates/scan': [OWN],
  'POST /media-files/duplicates/{dup_id}/dismiss': [at('duplicate')],
  'POST /media-files/duplicates/{dup_id}/resolve': [
    (_, { duplicate, file }) => ({ id: duplicate, body: { keep: [file] }, answer: 404 }),
    (own, { file }) => ({ id: own.duplicate, body: { keep: [file] }, answer: 400 }),
    (own, { file }) => ({ id: own.duplicate, body: { keep: [own.file, file] }, answer: 400 }),
  ],
  'POST /media-files/duplicates/{dup_id}/undo': [at('duplicate')],

  'GET /albums': [
    OWN,
    (_, { album }) => ({ query: { album_id: album }, answer: 'empty' }),
    (_, { album }) => ({ query: { album_parent: album }, answer: 'empty' }),
  ],
  'POST /albums': [
    (_, { album }) => ({ body: { album_name: 'Forged', album_parent: album }, answer: 400 }),
    (_, { file }) => ({ body: { album_name: 'Forged', album_cover_file: file }, answer: 400 }),
    (_, { search }) => ({ body: { album_name: 'Forged', album_smart: true, album_query: search }, answer: 400 }),
    (_, { query }) => ({ body: { album_name: 'Forged', album_smart: true, album_query: query }, answer: 400 }),
    (own, { user }) => ({
      body: { album_name: 'Shared with them', album_acl: { users: { [own.user]: 'owner', [user]: 'owner' } } },
      answer: 400,
    }),
  ],
  'GET /albums/memberships': [
    OWN,
    (_, { album }) => ({ query: { af_album: album }, answer: 'empty' }),
    (_, { file }) => ({ query: { af_file: file }, answer: 'empty' }),
  ],
  'POST /albums/smart': [
    (_, named) => ({ body: { album_name: 'Forged', query_search: carries(named) }, answer: 400 }),
    (_, named) => ({ body: { album_name: 'Forged', query_search: carries(named, 'person') }, answer: 400 }),
  ],
  'GET /albums/stats': [OWN],
  'GET /albums/{id}': [at('album'), at('child'), at('smart')],
  'PATCH /albums/{id}': [
    at('album', { album_name: 'Forged' }),
    (own, { album }) => ({ id: own.album, body: { album_parent: album }, answer: 400 }),
    (own, { file }) => ({ id: own.album, body: { album_cover_file: file }, answer: 400 }),
    (own, { user }) => ({ id: own.child, body: { album_acl: { users: { [own.user]: 'owner', [user]: 'owner' } } }, answer: 400 }),
  ],
  'DELETE /albums/{id}': [at('album'), at('smart')],
  'GET /albums/{id}/changes': [at('smart'), (own, { file }) => ({ id: own.smart, query: { ac_file: file }, answer: 'empty' })],
  'POST /albums/{id}/copy': [at('album', { album_name: 'Forged' }), at('smart', { album_name: 'Forged' })],
  'GET /albums/{id}/explain': [
    (own, { smart }) => ({ id: smart, query: { file_id: own.file }, answer: 404 }),
    (own, { file }) => ({ id: own.smart, query: { file_id: file }, answer: 404 }),
  ],
  'POST /albums/{id}/files': [
    (own, { album }) => ({ id: album, body: { file_ids: [own.file] }, answer: 404 }),
    (own, { file, other }) => ({ id: own.album, body: { file_ids: [file, other] }, answer: { added: 0, skipped: 2, already: 0 } }),
  ],
  'DELETE /albums/{id}/files': [
    (own, { album }) => ({ id: album, body: { file_ids: [own.file] }, answer: 404 }),
    (own, { file, other }) => ({ id: own.album, body: { file_ids: [file, other] }, answer: { removed: 0 } }),
  ],
  'GET /albums/{id}/files': [at('album'), at('smart'), ...below('album', [...filters, SIMILAR])],
  'PATCH /albums/{id}/files/order': [
    (own, { album }) => ({ id: album, body: { file_ids: [own.file], before: own.other }, answer: 404 }),
    (own, { file }) => ({ id: own.album, body: { file_ids: [own.file], before: file }, answer: 400 }),
    (own, { file }) => ({ id: own.album, body: { file_ids: [own.file], after: file }, answer: 400 }),
    (own, { file }) => ({ id: own.album, body: { file_ids: [file] }, answer: { moved: 0, skipped: 1 } }),
  ],
  'PATCH /albums/{id}/smart': [
    at('smart', { query_search: {} }),
    (own, named) => ({ id: own.smart, body: { query_search: carries(named) }, answer: 400 }),
  ],

  'GET /media-tags': [
    OWN,
    (_, { tag }) => ({ query: { mt_id: tag }, answer: 'empty' }),
    (_, { group }) => ({ query: { mt_group: group }, answer: 'empty' }),
    (_, { tag }) => ({ query: { mt_parent: tag }, answer: 'empty' }),
    (_, { tagName }) => ({ query: { q: tagName }, answer: 'empty' }),
  ],
  'POST /media-tags': [
    (_, { group }) => ({ body: { mt_group: group, mt_value: 'Forged' }, answer: 400 }),
    (own, { tag }) => ({ body: { mt_group: own.group, mt_value: 'Forged', mt_parent: tag }, answer: 400 }),
  ],
  'PATCH /media-tags/{id}': [at('tag', { mt_value: 'Forged' }), (own, { tag }) => ({ id: own.tag, body: { mt_parent: tag }, answer: 400 })],
  'DELETE /media-tags/{id}': [at('tag'), at('second')],
  'POST /media-tags/{id}/merge': [
    (own, { tag }) => ({ id: tag, body: { into: own.tag }, answer: 404 }),
    (_, { tag, second }) => ({ id: second, body: { into: tag }, answer: 404 }),
    (own, { tag }) => ({ id: own.tag, body: { into: tag }, answer: 400 }),
  ],
  'GET /admin/media-tag-groups': [OWN, (_, { group }) => ({ query: { mtg_id: group }, answer: 'empty' })],
  'POST /admin/media-tag-groups': [
    (_, named) => ({ body: { mtg_name: 'Forged', mtg_rules: [{ query_search: carries(named), value: 'x' }] }, answer: 400 }),
  ],
  'PATCH /admin/media-tag-groups/order': [(own, { group }) => ({ body: { ids: [own.group, group] }, answer: 400 })],
  'GET /admin/media-tag-groups/{id}': [at('group')],
  'PATCH /admin/media-tag-groups/{id}': [
    at('group', { mtg_name: 'Forged' }),
    (own, named) => ({ id: own.group, body: { mtg_rules: [{ query_search: carries(named), value: 'x' }] }, answer: 400 }),
  ],
  'DELETE /admin/media-tag-groups/{id}': [at('group'), (_, { group }) => ({ id: group, query: { force: 'true' }, answer: 404 })],
  'POST /admin/media-tag-groups/{id}/apply-rules': [at('group')],
  'PUT /files/{id}/media-tags': [(own, { file }) => ({ id: file, body: { media_tags: { [own.groupName]: [own.tagName] } }, answer: 404 })],
  'POST /files/actions/media-tags': [
    (own, { file, other }) => ({
      body: { file_ids: [file, other], add: { [own.groupName]: [own.tagName] } },
      answer: { updated: 0, skipped: 2 },
    }),
    (own, { file, other }) => ({
      body: { file_ids: [file, other], remove: { [own.groupName]: [own.tagName] } },
      answer: { updated: 0, skipped: 2 },
    }),
  ],

  'GET /admin/media-status-flows': [OWN, (_, { flow }) => ({ query: { msf_id: flow }, answer: 'empty' })],
  'POST /admin/media-status-flows': [(_, { user }) => ({ body: flowBy(user), answer: 400 })],
  'GET /admin/media-status-flows/{id}': [at('flow')],
  'PUT /admin/media-status-flows/{id}': [
    (own, { flow }) => ({ id: flow, body: flowBy(own.user), answer: 404 }),
    (own, { user }) => ({ id: own.flow, body: flowBy(user), answer: 400 }),
  ],
  'DELETE /admin/media-status-flows/{id}': [at('flow')],
  'GET /files/{id}/statuses': [at('file')],
  'POST /files/actions/status': [
    (_, { file, other }) => ({ body: { file_ids: [file, other], file_status: 'approved' }, answer: 409 }),
    (own, { file }) => ({
      body: { file_ids: [own.other, file], file_status: 'active' },
      answer: {
        data: [
          { file_id: own.other, outcome: 'unchanged' },
          { file_id: file, outcome: 'refused', code: 'not_found', reason: 'No such file in this workspace.' },
        ],
      },
    }),
    (own, { state }) => ({ body: { file_ids: [own.other], file_status: state }, answer: 400 }),
  ],

  'GET /media-analysis-schemas': [OWN, (_, { schema }) => ({ query: { mas_id: schema }, answer: 'empty' })],
  'POST /media-analysis-schemas': [() => ({ body: { mas_name: 'forged', mas_fields: FIELDS }, answer: 'own' })],
  'POST /media-analysis-schemas/suggest': [
    (_, { file }) => ({ body: { description: 'As in these', sample_file_ids: [file] }, answer: 400 }),
  ],
  'GET /media-analysis-schemas/{id}': [at('schema')],
  'PUT /media-analysis-schemas/{id}': [at('schema', { mas_name: 'forged', mas_fields: FIELDS })],
  'DELETE /media-analysis-schemas/{id}': [at('schema')],
  'GET /files/{id}/analysis': [at('file'), (own, { schema }) => ({ id: own.file, query: { fa_schema: schema }, answer: 'empty' })],
  'POST /files/{id}/analysis': [
    (own, { file }) => ({ id: file, body: { fa_schema: own.schema }, answer: 404 }),
    (own, { schema }) => ({ id: own.file, body: { fa_schema: schema }, answer: 400 }),
  ],
  'POST /files/actions/analyze': [
    (own, { file, other }) => ({ body: { fa_schema: own.schema, file_ids: [file, other] }, answer: 'job of nothing' }),
    (own, { schema }) => ({ body: { fa_schema: schema, file_ids: [own.file] }, answer: 400 }),
    (own, { search }) => ({ body: { fa_schema: own.schema, saved_search: search }, answer: 400 }),
  ],
  'GET /file-analyses': [
    OWN,
    (_, { file }) => ({ query: { fa_file: file }, answer: 'empty' }),
    (_, { schema }) => ({ query: { fa_schema: schema }, answer: 'empty' }),
    (_, { analysis }) => ({ query: { fa_id: analysis }, answer: 'empty' }),
  ],
  'GET /file-analyses/{id}': [at('analysis')],
  'PATCH /file-analyses/{id}': [at('analysis', { fa_result: { camera: 'Forged' } })],
  'DELETE /file-analyses/{id}': [at('analysis')],

  'GET /faces': [
    OWN,
    (_, { file }) => ({ query: { face_file: file }, answer: 'empty' }),
    (_, { person }) => ({ query: { face_person: person }, answer: 'empty' }),
    (_, { face }) => ({ query: { face_id: face }, answer: 'empty' }),
  ],
  'POST /faces': [
    (_, { file }) => ({ body: { face_file: file, face_box: BOX }, answer: 400 }),
    (own, { person }) => ({ body: { face_file: own.file, face_box: BOX, face_person: person }, answer: 400 }),
  ],
  'PATCH /faces/{id}': [
    at('face', { face_state: 'ignored' }),
    (own, { face }) => ({ id: face, body: { face_person: own.friend }, answer: 404 }),
    (own, { person }) => ({ id: own.face, body: { face_person: person }, answer: 400 }),
  ],
  'DELETE /faces/{id}': [at('face')],
  'GET /faces/{id}/image': [at('face')],
  'POST /files/actions/detect-faces': [(_, { file, other }) => ({ body: { file_ids: [file, other] }, answer: 'job of nothing' })],
  'GET /people': [OWN, (_, { person }) => ({ query: { person_id: person }, answer: 'empty' })],
  'POST /people': [
    (_, { file }) => ({ body: { person_name: 'Forged', person_consent: { status: 'granted', file_id: file } }, answer: 400 }),
  ],
  'GET /people/{id}': [at('person'), at('friend')],
  'PATCH /people/{id}': [
    at('person', { person_name: 'Forged' }),
    (own, { face }) => ({ id: own.person, body: { person_cover_face: face }, answer: 400 }),
    (own, { file }) => ({ id: own.person, body: { person_consent: { status: 'granted', file_id: file } }, answer: 400 }),
  ],
  'DELETE /people/{id}': [at('person'), (_, { person }) => ({ id: person, query: { erase: 'true' }, answer: 404 })],
  'GET /people/{id}/files': [at('person'), ...below('person', [OF_ALBUM, ...filters, SIMILAR])],
  'POST /people/{id}/merge': [
    (own, { person }) => ({ id: person, body: { person_ids: [own.friend] }, answer: 404 }),
    (own, { person }) => ({ id: own.person, body: { person_ids: [person] }, answer: 400 }),
  ],
  'POST /people/{id}/split': [
    (_, { person, undo }) => ({ id: person, body: { undo_id: undo }, answer: 404 }),
    (own, { undo }) => ({ id: own.person, body: { undo_id: undo }, answer: 400 }),
    (own, { face }) => ({ id: own.person, body: { face_ids: [face] }, answer: 400 }),
  ],
  'GET /people/{id}/suggestions': [at('person')],
  'POST /people/{id}/suggestions': [
    (own, { person }) => ({ id: person, body: { accept: [own.loose] }, answer: 404 }),
    (own, { loose }) => ({ id: own.person, body: { accept: [loose] }, answer: 400 }),
    (own, { loose }) => ({ id: own.person, body: { reject: [loose] }, answer: 400 }),
  ],

  'GET /saved-searches': [OWN, (_, { search }) => ({ query: { sq_id: search }, answer: 'empty' })],
  'POST /saved-searches': [
    (_, named) => ({ body: { sq_name: 'Forged', sq_scope: 'media', sq_query: carries(named) }, answer: 400 }),
    (_, named) => ({ body: { sq_name: 'Forged', sq_scope: 'media', sq_query: carries(named, 'person') }, answer: 400 }),
  ],
  'POST /saved-searches/preview': [
    (_, named) => ({ body: { sq_scope: 'media', sq_query: carries(named) }, answer: 'empty' }),
    (_, named) => ({ body: { sq_scope: 'media', sq_query: carries(named, 'person') }, answer: 'empty' }),
    (_, { groupName, tagName }) => ({
      body: { sq_scope: 'media', sq_query: { where: { field: 'tag', op: 'has_any', value: [{ group: groupName, value: tagName }] } } },
      answer: 'empty',
    }),
  ],
  'GET /saved-searches/{id}': [at('search'), at('query')],
  'PATCH /saved-searches/{id}': [
    at('search', { sq_name: 'Forged' }),
    (own, named) => ({ id: own.search, body: { sq_query: carries(named) }, answer: 400 }),
  ],
  'DELETE /saved-searches/{id}': [at('search')],

  'GET /stock-photos/providers': [OWN],
  'GET /stock-photos': [() => ({ query: { q: 'harbour' }, answer: 501 })],
  'GET /stock-photos/{stock_id}': [(_, { stock }) => ({ id: stock, answer: 501 })],
  'POST /stock-photos/{stock_id}/import': [
    (own, { stock }) => ({ id: stock, body: { album_ids: [own.album] }, answer: 501 }),
    (_, { stock, album }) => ({ id: stock, body: { album_ids: [album] }, answer: 501 }),
  ],

  'DELETE /admin/faces': [
    (_, { workspace }) => ({ body: { confirm: workspace }, answer: 400 }),
    (own) => ({ body: { confirm: own.workspace }, answer: 'own' }),
  ],
};
