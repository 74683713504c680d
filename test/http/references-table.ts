import { flowOf as approvalFlowOf } from '../website/approving';

/** Rows of a workspace that requests are sent about. */
export interface Rows {
  readonly user: string;
  readonly role: string;
  readonly file: string;
  readonly generated: string;
  readonly document: string;
  readonly lease: string;
  readonly album: string;
  readonly folder: string;
  readonly base: string;
  readonly schema: string;
  readonly object: string;
  readonly taxonomy: string;
  readonly term: string;
  readonly group: string;
  readonly tag: string;
  readonly person: string;
  readonly face: string;
  readonly analysis: string;
  readonly relation: string;
  readonly space: string;
  readonly site: string;
  readonly contentSchema: string;
  /** A site with a page of its own. */
  readonly pages: { readonly site: string; readonly page: string; readonly template: string };
  readonly library: string;
}

/** A request whose body names the id; other fields are right. */
export type Asked = readonly [method: 'post' | 'put' | 'patch', path: string, body: object];
type Ask = (id: string, rows: Rows) => Asked;

const BOX = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
const BASELINE = { distribution: 'restricted' };
const STATES = [
  { key: 'draft', label: 'Draft', initial: true },
  { key: 'done', label: 'Done' },
];
const mediaFlow = (transition: object): object => ({
  msf_name: 'Flow',
  msf_scope: ['generated'],
  msf_active: false,
  msf_states: STATES,
  msf_transitions: [{ from: 'draft', to: 'done', ...transition }],
});
const objectFlow = (more: object): object => ({
  olf_name: 'Flow',
  olf_states: [
    { key: 'draft', name: 'Draft', initial: true },
    { key: 'done', name: 'Done' },
  ],
  olf_transitions: [{ key: 'finish', name: 'Finish', from: ['draft'], to: 'done' }],
  ...more,
});
const step = (more: object): object =>
  objectFlow({ olf_transitions: [{ key: 'finish', name: 'Finish', from: ['draft'], to: 'done', ...more }] });
const approvalStep = (more: object): object =>
  approvalFlowOf({
    caf_states: [
      { key: 'draft', name: 'Draft', initial: true },
      { key: 'done', name: 'Done', publishable: true },
    ],
    caf_transitions: [{ key: 'finish', name: 'Finish', from: ['draft'], to: 'done', ...more }],
  });
const share = (more: object): object => ({ share_name: 'Share', share_type: 'files', ...more });
const folder = (more: object): object => ({ album_name: 'Folder', ...more });
const search = (id: string): object => ({ album_name: 'Smart', album_smart: true, album_query: id });

/** By operation and the path of the fault. */
export const REFERENCES: Readonly<Record<string, Readonly<Record<string, Ask>>>> = {
  explainAccess: {
    user_id: (user_id) => ['post', '/admin/access/explain', { user_id, permission: 'media:view' }],
    key_id: (key_id) => ['post', '/admin/access/explain', { key_id, permission: 'media:view' }],
    'resource.id': (id, { user }) => [
      'post',
      '/admin/access/explain',
      { user_id: user, permission: 'media:view', resource: { type: 'album', id } },
    ],
  },
  createApiKey: { key_user: (key_user) => ['post', '/admin/api-keys', { key_name: 'Key', key_user }] },
  createLegalHold: {
    lh_target_id: (lh_target_id) => [
      'post',
      '/admin/legal-holds',
      { lh_name: 'Matter', lh_target_type: 'user', lh_target_id, lh_reason: 'A letter' },
    ],
  },
  createMediaStatusFlow: {
    'msf_transitions[0].movers.roles[0]': (id) => ['post', '/admin/media-status-flows', mediaFlow({ movers: { roles: [id] } })],
    'msf_transitions[0].movers.users[0]': (id) => ['post', '/admin/media-status-flows', mediaFlow({ movers: { users: [id] } })],
    'msf_transitions[0].side.notify[0]': (id) => ['post', '/admin/media-status-flows', mediaFlow({ side: { notify: [id] } })],
  },
  orderMediaTagGroups: { 'ids[1]': (id, { group }) => ['patch', '/admin/media-tag-groups/order', { ids: [group, id] }] },
  previewRole: { role_id: (role_id) => ['post', '/admin/roles/preview', { role_id, role_permissions: ['media:view'] }] },
  createUser: {
    'user_roles[0]': (id) => ['post', '/admin/users', { user_email: `${id}@people.example`, user_name: 'New', user_roles: [id] }],
  },
  updateUser: { 'user_roles[0]': (id, { user }) => ['patch', `/admin/users/${user}`, { user_roles: [id] }] },
  transferUserContent: { to_user: (to_user, { user }) => ['post', `/admin/users/${user}/transfer`, { to_user }] },
  createAlbum: {
    album_parent: (id) => ['post', '/albums', folder({ album_parent: id })],
    album_cover_file: (id) => ['post', '/albums', folder({ album_cover_file: id })],
    album_query: (id) => ['post', '/albums', search(id)],
  },
  updateAlbum: {
    album_parent: (id, { album }) => ['patch', `/albums/${album}`, { album_parent: id }],
    album_cover_file: (id, { album }) => ['patch', `/albums/${album}`, { album_cover_file: id }],
  },
  orderAlbumFiles: {
    before: (id, { album, file }) => ['patch', `/albums/${album}/files/order`, { file_ids: [file], before: id }],
    after: (id, { album, file }) => ['patch', `/albums/${album}/files/order`, { file_ids: [file], after: id }],
  },
  replaceDistributionBaseline: { 'restriction_ids[0]': (id) => ['put', '/distribution/baseline', { restriction_ids: [id] }] },
  evaluateDistribution: {
    pub_id: (pub_id) => ['post', '/distribution/evaluate', { pub_id }],
    file_id: (file_id) => ['post', '/distribution/evaluate', { file_id }],
    share_id: (share_id) => ['post', '/distribution/evaluate', { share_id }],
  },
  createDocumentFolder: {
    album_parent: (id) => ['post', '/document-folders', folder({ album_parent: id })],
    album_cover_file: (id) => ['post', '/document-folders', folder({ album_cover_file: id })],
    album_query: (id) => ['post', '/document-folders', search(id)],
  },
  updateDocumentFolder: {
    album_cover_file: (id, rows) => ['patch', `/document-folders/${rows.folder}`, { album_cover_file: id }],
  },
  deprecateDocument: { file_superseded_by: (id, { document }) => ['post', `/documents/${document}/deprecate`, { file_superseded_by: id }] },
  linkDocuments: {
    rel_type: (id, { document, lease }) => ['post', `/documents/${document}/relations`, { rel_type: id, document_id: lease }],
    document_id: (id, { document, relation }) => ['post', `/documents/${document}/relations`, { rel_type: relation, document_id: id }],
  },
  createDownloadJob: { 'file_ids[0]': (id) => ['post', '/download-jobs', { file_ids: [id] }] },
  downloadFiles: { 'file_ids[0]': (id) => ['post', '/files/actions/download', { file_ids: [id] }] },
  createFace: {
    face_file: (id) => ['post', '/faces', { face_file: id, face_box: BOX }],
    face_person: (id, { file }) => ['post', '/faces', { face_file: file, face_box: BOX, face_person: id }],
  },
  updateFace: { face_person: (id, { face }) => ['patch', `/faces/${face}`, { face_person: id }] },
  analyzeFiles: {
    fa_schema: (id, { file }) => ['post', '/files/actions/analyze', { fa_schema: id, file_ids: [file] }],
    saved_search: (id, { analysis }) => ['post', '/files/actions/analyze', { fa_schema: analysis, saved_search: id }],
  },
  analyzeFile: { fa_schema: (id, { file }) => ['post', `/files/${file}/analysis`, { fa_schema: id }] },
  reindexFiles: {
    repo_id: (id) => ['post', '/files/actions/reindex', { repo_type: 'thread', repo_id: id }],
    'file_ids[0]': (id) => ['post', '/files/actions/reindex', { file_ids: [id] }],
    'file_ids[1]': (id, { file }) => ['post', '/files/actions/reindex', { file_ids: [file, id] }],
  },
  emptyTrash: { repo_id: (id) => ['post', '/files/trash/empty', { repo_type: 'thread', repo_id: id }] },
  createFile: { 'file_repo.thread': (id) => ['post', '/files', { file_repo: { thread: id }, file_name: 'x.md' }] },
  moveFile: { 'file_repo.thread': (id, { file }) => ['post', `/files/${file}/move`, { file_repo: { thread: id } }] },
  moveFiles: { 'file_repo.thread': (id, { file }) => ['post', '/files/actions/move', { file_ids: [file], file_repo: { thread: id } }] },
  checkUpload: {
    'file_repo.thread': (id) => [
      'post',
      '/uploads/check',
      { file_repo: { thread: id }, items: [{ file_name: 'x.txt', file_size: 1, file_hash: 'a'.repeat(64) }] },
    ],
  },
  createUpload: {
    'file_repo.thread': (id) => ['post', '/uploads', { file_repo: { thread: id }, file_name: 'x.txt', file_size: 1 }],
    upl_file: (id) => ['post', '/uploads', { file_repo: { library: ['media'] }, file_name: 'x.txt', file_size: 1, upl_file: id }],
    'album_ids[0]': (id) => ['post', '/uploads', { file_repo: { library: ['media'] }, file_name: 'x.txt', file_size: 1, album_ids: [id] }],
  },
  importFile: {
    'file_repo.thread': (id) => ['post', '/uploads/import', { file_repo: { thread: id }, source_url: 'http://127.0.0.1:9/x.txt' }],
    'album_ids[0]': (id) => [
      'post',
      '/uploads/import',
      { file_repo: { library: ['media'] }, source_url: 'http://127.0.0.1:9/x.txt', album_ids: [id] },
    ],
  },
  copyFileToMedia: { 'album_ids[0]': (id, { generated }) => ['post', `/files/${generated}/copy-to-media`, { album_ids: [id] }] },
  publishPublications: {
    'restrictions[0]': (id, { file }) => ['post', '/publications/actions/publish', { ...BASELINE, file_ids: [file], restrictions: [id] }],
  },
  publishFile: { 'restrictions[0]': (id, { file }) => ['post', `/files/${file}/publication`, { ...BASELINE, restrictions: [id] }] },
  importKnowledgeRecords: { file_id: (file_id, { base }) => ['post', `/knowledge-bases/${base}/records/import`, { file_id }] },
  previewKnowledgeImport: { file_id: (file_id, { base }) => ['post', `/knowledge-bases/${base}/records/import/preview`, { file_id }] },
  createMediaTag: {
    mt_group: (id) => ['post', '/media-tags', { mt_group: id, mt_value: 'Summer' }],
    mt_parent: (id, { group }) => ['post', '/media-tags', { mt_group: group, mt_value: 'Summer', mt_parent: id }],
  },
  updateMediaTag: { mt_parent: (id, { tag }) => ['patch', `/media-tags/${tag}`, { mt_parent: id }] },
  mergeMediaTag: { into: (id, { tag }) => ['post', `/media-tags/${tag}/merge`, { into: id }] },
  createObjectLifecycleFlow: {
    'olf_forms[0]': (id) => ['post', '/object-lifecycle-flows', objectFlow({ olf_forms: [id] })],
    'olf_transitions[0].movers.roles[0]': (id) => ['post', '/object-lifecycle-flows', step({ movers: { roles: [id] } })],
    'olf_transitions[0].movers.users[0]': (id) => ['post', '/object-lifecycle-flows', step({ movers: { users: [id] } })],
  },
  createObjectSource: {
    osr_form: (osr_form) => [
      'post',
      '/object-sources',
      {
        osr_name: `Shop ${osr_form}`,
        osr_kind: 'http_json',
        osr_form,
        osr_config: { url: 'http://127.0.0.1:9/articles' },
        osr_mapping: { external_id: { path: '$.id' }, name: { path: '$.name' } },
      },
    ],
  },
  createObjectTaxonomyTerm: {
    term_parent: (id, { taxonomy }) => ['post', `/object-taxonomies/${taxonomy}/terms`, { term_name: 'Lamps', term_parent: id }],
  },
  updateObjectTaxonomyTerm: {
    term_parent: (id, { taxonomy, term }) => ['patch', `/object-taxonomies/${taxonomy}/terms/${term}`, { term_parent: id }],
  },
  createApprovalFlow: {
    'caf_scope.sites[0]': (id) => ['post', '/content-approval-flows', approvalFlowOf({ caf_scope: { sites: [id] } })],
    'caf_transitions[0].movers.roles[0]': (id) => ['post', '/content-approval-flows', approvalStep({ movers: { roles: [id] } })],
    'caf_transitions[0].movers.users[0]': (id) => ['post', '/content-approval-flows', approvalStep({ movers: { users: [id] } })],
    'caf_transitions[0].approvals.movers.roles[0]': (id) => [
      'post',
      '/content-approval-flows',
      approvalStep({ approvals: { count: 1, movers: { roles: [id] } } }),
    ],
    'caf_transitions[0].approvals.movers.users[0]': (id) => [
      'post',
      '/content-approval-flows',
      approvalStep({ approvals: { count: 1, movers: { users: [id] } } }),
    ],
  },
  createSite: {
    site_library: (site_library) => ['post', '/sites', { site_name: 'Site', site_library }],
    'site_contacts[0]': (id) => ['post', '/sites', { site_name: 'Site', site_contacts: [id] }],
  },
  updateSite: {
    site_library: (site_library, { site }) => ['patch', `/sites/${site}`, { site_library }],
    'site_contacts[0]': (id, { site }) => ['patch', `/sites/${site}`, { site_contacts: [id] }],
  },
  createNode: {
    node_parent: (node_parent, { pages: { site } }) => [
      'post',
      `/sites/${site}/nodes`,
      { node_name: 'Page', node_kind: 'folder', node_parent },
    ],
    node_template: (node_template, { pages: { site } }) => ['post', `/sites/${site}/nodes`, { node_name: 'Page', node_template }],
    before: (before, { pages: { site } }) => ['post', `/sites/${site}/nodes`, { node_name: 'Page', node_kind: 'folder', before }],
    after: (after, { pages: { site } }) => ['post', `/sites/${site}/nodes`, { node_name: 'Page', node_kind: 'folder', after }],
  },
  updateNode: {
    node_parent: (node_parent, { pages: { site, page } }) => ['patch', `/sites/${site}/nodes/${page}`, { node_parent }],
    node_template: (node_template, { pages: { site, page } }) => ['patch', `/sites/${site}/nodes/${page}`, { node_template }],
    before: (before, { pages: { site, page } }) => ['patch', `/sites/${site}/nodes/${page}`, { before }],
    after: (after, { pages: { site, page } }) => ['patch', `/sites/${site}/nodes/${page}`, { after }],
  },
  duplicateNode: {
    node_parent: (node_parent, { pages: { site, page } }) => ['post', `/sites/${site}/nodes/${page}/duplicate`, { node_parent }],
  },
  publishNodes: { 'node_ids[0]': (id, { site }) => ['post', `/sites/${site}/publish`, { node_ids: [id] }] },
  createSitePreviewLink: { prv_node: (prv_node, { site }) => ['post', `/sites/${site}/preview-links`, { prv_node }] },
  createSiteRedirect: { red_node: (red_node, { site }) => ['post', `/sites/${site}/redirects`, { red_from: '/old', red_node }] },
  createContentSchema: {
    tpl_library: (tpl_library) => ['post', '/content-schemas', { tpl_library, tpl_key: 'a', tpl_name: 'A', tpl_kind: 'block' }],
    tpl_preview_file: (tpl_preview_file, { library }) => [
      'post',
      '/content-schemas',
      { tpl_library: library, tpl_key: 'a', tpl_name: 'A', tpl_kind: 'block', tpl_preview_file },
    ],
  },
  updateContentSchema: {
    tpl_preview_file: (tpl_preview_file, { contentSchema }) => ['patch', `/content-schemas/${contentSchema}`, { tpl_preview_file }],
  },
  createObject: {
    obj_form: (obj_form) => ['post', '/objects', { obj_form, obj_content: { name: 'x' } }],
    'obj_terms[0]': (id, { schema }) => ['post', '/objects', { obj_form: schema, obj_content: { name: 'x' }, obj_terms: [id] }],
    obj_cover_file: (id, { schema }) => ['post', '/objects', { obj_form: schema, obj_content: { name: 'x' }, obj_cover_file: id }],
  },
  updateObject: {
    obj_form: (obj_form, { object }) => ['patch', `/objects/${object}`, { obj_form }],
    'obj_terms[0]': (id, { object }) => ['patch', `/objects/${object}`, { obj_terms: [id] }],
    obj_cover_file: (id, { object }) => ['patch', `/objects/${object}`, { obj_cover_file: id }],
  },
  createSocialPost: {
    'sp_targets[0]': (id) => ['post', '/social-posts', { sp_text: 'x', sp_targets: [id] }],
    'sp_source.ref': (ref) => ['post', '/social-posts', { sp_text: 'x', sp_source: { kind: 'file', ref } }],
    'sp_files[0].file_id': (file_id) => ['post', '/social-posts', { sp_text: 'x', sp_files: [{ file_id }] }],
    'sp_link.image': (image) => ['post', '/social-posts', { sp_text: 'x', sp_link: { url: 'https://example.com', image } }],
  },
  createSocialSlot: { sls_target: (sls_target) => ['post', '/admin/social/slots', { sls_weekday: 1, sls_time: '09:00', sls_target }] },
  draftSocialTexts: {
    'source.file_id': (file_id) => ['post', '/social-posts/draft', { source: { file_id } }],
    'targets[0]': (id) => ['post', '/social-posts/draft', { source: { text: 'x' }, targets: [id] }],
  },
  importObjects: {
    obj_form: (obj_form) => ['post', '/objects/import', { obj_form, rows: [{ name: 'x' }] }],
    file_id: (file_id, { schema }) => ['post', '/objects/import', { obj_form: schema, file_id }],
  },
  previewObjectImport: {
    obj_form: (obj_form) => ['post', '/objects/import/preview', { obj_form, rows: [{ name: 'x' }] }],
    file_id: (file_id, { schema }) => ['post', '/objects/import/preview', { obj_form: schema, file_id }],
  },
  updatePerson: { person_cover_face: (id, { person }) => ['patch', `/people/${person}`, { person_cover_face: id }] },
  mergePerson: { 'person_ids[0]': (id, { person }) => ['post', `/people/${person}/merge`, { person_ids: [id] }] },
  splitPerson: {
    'face_ids[0]': (id, { person }) => ['post', `/people/${person}/split`, { face_ids: [id] }],
    undo_id: (id, { person }) => ['post', `/people/${person}/split`, { undo_id: id }],
  },
  decidePersonSuggestions: {
    'accept[0]': (id, { person }) => ['post', `/people/${person}/suggestions`, { accept: [id] }],
    'reject[0]': (id, { person }) => ['post', `/people/${person}/suggestions`, { reject: [id] }],
  },
  createShareLink: {
    'share_file_ids[0]': (id) => ['post', '/share-links', share({ share_file_ids: [id] })],
    share_album_id: (id) => ['post', '/share-links', { share_name: 'Share', share_type: 'album', share_album_id: id }],
  },
};

/** Operations whose bodies name ids in other ways, and how those that are unknown are answered. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  addFilesToAlbum: 'counts what it skips',
  addFilesToDocumentFolder: 'counts what it skips',
  assignRole: 'skips what it does not know',
  updateApprovalFlow: 'the rules of createApprovalFlow',
  changeFileStatuses: 'has an outcome for each file',
  changeFileTags: 'has an outcome for each file',
  createKioskUpload: 'guests: test/distribution/guest-uploads',
  createShareLinkUploadReview: 'counts what it skips',
  createShareUpload: 'guests: test/distribution/guest-uploads',
  createUsers: 'has an outcome for each member',
  createIssuer: 'asks the issuer: test/identity/issuers',
  updateIssuer: 'asks the issuer: test/identity/issuers',
  deleteFiles: 'has an outcome for each file',
  detectFaces: 'its job names what failed',
  exchangeToken: 'signs in',
  importStockPhoto: 'needs a provider: test/media/stock-photos',
  linkKnowledgeBaseFiles: 'counts what it skips',
  login: 'signs in',
  pullFromCms: 'a filter',
  purgeFiles: 'has an outcome for each file',
  pushCmsSchemas: 'a filter',
  pushToCms: 'a filter',
  refreshPublications: 'has an outcome for each file',
  reindexPassages: 'a filter',
  replaceBrand: 'test/identity/brand',
  replaceMediaStatusFlow: 'the rules of createMediaStatusFlow',
  resolveDuplicates: 'needs duplicates: test/media/duplicates',
  restoreFiles: 'has an outcome for each file',
  revokeIssuedShareLinks: 'a condition',
  savePublicationDraft: 'the rules of publishFile',
  searchKnowledgeBase: 'a filter',
  searchPassages: 'a filter',
  suggestMediaAnalysisSchema: 'asks a model: test/media/analysis',
  tagDocuments: 'has an outcome for each file',
  testObjectSource: 'the rules of createObjectSource',
  unpublishPublications: 'has an outcome for each file',
  updateBrand: 'the rules of replaceBrand',
  updateMe: 'needs a session: test/identity/membership',
  updateObjectLifecycleFlow: 'the rules of createObjectLifecycleFlow',
  retrySocialPost: 'variants of the post: test/social/posts',
  updateShareLink: 'the rules of createShareLink',
  updateSocialPost: 'the rules of createSocialPost',
};
