import { newId } from '@atrium/platform/kernel';

/** A resource that is deleted by a flag: how it is restored, another change of it, and a write to what is inside it. */
export interface Deactivated {
  readonly flag: string;
  readonly restored: 'change' | 'action' | 'never';
  readonly change: object;
  readonly write?: { readonly at: string; readonly body: object };
}

/** They stay, are read, and are not changed until they are restored. */
export const DEACTIVATED: Readonly<Record<string, Deactivated>> = {
  '/social-posts/{id}': { flag: 'sp_active', restored: 'change', change: { sp_title: 'Another' }, write: { at: 'publish', body: {} } },
  '/knowledge-base-schemas/{id}': { flag: 'form_active', restored: 'change', change: { form_description: 'Another' } },
  '/object-schemas/{id}': { flag: 'form_active', restored: 'change', change: { form_description: 'Another' } },
  '/object-taxonomies/{id}': {
    flag: 'tax_active',
    restored: 'change',
    change: { tax_description: 'Another' },
    write: { at: 'terms', body: { term_name: 'Lamps' } },
  },
  '/content-schema-libraries/{id}': { flag: 'lib_active', restored: 'change', change: { lib_description: 'Another' } },
  '/content-schemas/{id}': { flag: 'tpl_active', restored: 'change', change: { tpl_description: 'Another' } },
  '/sites/{id}/nodes/{node_id}': {
    flag: 'node_active',
    restored: 'action',
    change: { node_name: 'Another' },
  },
  '/sites/{id}': { flag: 'site_active', restored: 'action', change: { site_description: 'Another' } },
  '/agents/{id}': {
    flag: 'agent_active',
    restored: 'change',
    change: { agent_description: 'Another' },
    write: { at: 'run', body: { input: 'When does the ferry leave?', wait: 0 } },
  },
  '/prompts/{id}': { flag: 'prompt_active', restored: 'change', change: { prompt_description: 'Another' }, write: { at: 'run', body: {} } },
  '/prompt-categories/{id}': { flag: 'pcat_active', restored: 'change', change: { pcat_description: 'Another' } },
  '/wildcards/{id}': { flag: 'wildcard_active', restored: 'change', change: { wildcard_description: 'Another' } },
  '/spaces/{id}': {
    flag: 'space_active',
    restored: 'never',
    change: { space_description: 'Another' },
    write: { at: 'members', body: { sm_principal_type: 'user', sm_principal: newId(), sm_role: 'viewer' } },
  },
  '/threads/{id}': {
    flag: 'thread_active',
    restored: 'change',
    change: { thread_title: 'Another' },
    write: { at: 'messages', body: { msg_text: 'Hello', run_options: { run: false } } },
  },
  '/knowledge-bases/{id}': {
    flag: 'ds_active',
    restored: 'action',
    change: { ds_description: 'Another' },
    write: { at: 'records', body: { rec_name: 'Record', rec_content: { body: 'Gulls.' } } },
  },
  '/knowledge-bases/{id}/records/{record_id}': { flag: 'rec_active', restored: 'never', change: { rec_name: 'Another' } },
  '/objects/{id}': {
    flag: 'obj_active',
    restored: 'action',
    change: { obj_metadata: { note: 'Another' } },
    write: { at: 'transitions', body: { transition: 'publish' } },
  },
};

/** They stay and show their end in a field of their own; a flow can be activated again. */
export const ENDED: Readonly<Record<string, object>> = {
  '/admin/api-keys/{id}': { key_status: 'revoked' },
  '/admin/users/{id}': { user_status: 'removed' },
  '/me/privacy-requests/{id}': { dsr_status: 'cancelled' },
  '/object-lifecycle-flows/{id}': { olf_active: false },
  '/content-approval-flows/{id}': { caf_active: false },
  '/share-links/{id}': { share_active: false, share_state: 'revoked' },
  '/uploads/{id}': { upl_state: 'aborted' },
};

/** Their rows go, or wait in the trash. */
export const GONE: readonly string[] = [
  '/admin/budgets/{id}',
  '/admin/issuers/{id}',
  '/admin/media-status-flows/{id}',
  '/admin/media-tag-groups/{id}',
  '/admin/roles/{id}',
  '/admin/storage/providers/{id}',
  '/albums/{id}',
  '/distribution/restrictions/{id}',
  '/document-folders/{id}',
  '/document-relation-types/{id}',
  '/files/{id}',
  '/media-analysis-schemas/{id}',
  '/model-providers/{id}',
  '/object-sources/{id}',
  '/people/{id}',
  '/saved-searches/{id}',
];

/** Of one of these kinds too, but what they need is there in the tests of their context alone, which ask them. */
export const ASKED_ELSEWHERE: Readonly<Record<'ended' | 'gone' | 'either', readonly string[]>> = {
  ended: ['/download-jobs/{id}', '/file-jobs/{id}', '/jobs/{job_id}', '/public/kiosk/{share_id}/visit'],
  gone: [
    '/files/{id}/publication/draft',
    '/files/{id}/versions/{version_id}',
    '/me/sessions/{id}',
    '/objects/{id}/locks/{key}',
    '/social-posts/{id}/variants/{spv_id}/remote',
  ],
  // A used term is deactivated and any other is gone; a detected face is ignored and a manual one is gone; a running analysis is
  // cancelled and a finished one is gone; a publication is revoked and a draft that was never released is gone.
  either: ['/faces/{id}', '/file-analyses/{id}', '/files/{id}/publication', '/object-taxonomies/{id}/terms/{term_id}'],
};

/** They take away what their body names, or all there is. */
export const LISTS: readonly string[] = [
  '/admin/faces',
  '/admin/roles/{id}/users',
  '/admin/users/{id}/sessions',
  '/albums/{id}/files',
  '/document-folders/{id}/files',
  '/knowledge-bases/{id}/files',
  '/admin/social/{platform}/disconnect',
  '/me/sessions',
  '/memories',
];
