/** A resource that is deleted by a flag: how it is restored, and another change of it. */
export interface Deactivated {
  readonly flag: string;
  readonly restored: 'change' | 'action' | 'never';
  readonly change: object;
}

/** They stay, are read, and are not changed until they are restored. */
export const DEACTIVATED: Readonly<Record<string, Deactivated>> = {
  '/knowledge-base-schemas/{id}': { flag: 'form_active', restored: 'change', change: { form_description: 'Another' } },
  '/object-schemas/{id}': { flag: 'form_active', restored: 'change', change: { form_description: 'Another' } },
  '/object-taxonomies/{id}': { flag: 'tax_active', restored: 'change', change: { tax_description: 'Another' } },
  '/agents/{id}': { flag: 'agent_active', restored: 'change', change: { agent_description: 'Another' } },
  '/prompts/{id}': { flag: 'prompt_active', restored: 'change', change: { prompt_description: 'Another' } },
  '/prompt-categories/{id}': { flag: 'pcat_active', restored: 'change', change: { pcat_description: 'Another' } },
  '/wildcards/{id}': { flag: 'wildcard_active', restored: 'change', change: { wildcard_description: 'Another' } },
  '/spaces/{id}': { flag: 'space_active', restored: 'never', change: { space_description: 'Another' } },
  '/threads/{id}': { flag: 'thread_active', restored: 'change', change: { thread_title: 'Another' } },
  '/knowledge-bases/{id}': { flag: 'ds_active', restored: 'action', change: { ds_description: 'Another' } },
  '/knowledge-bases/{id}/records/{record_id}': { flag: 'rec_active', restored: 'never', change: { rec_name: 'Another' } },
  '/objects/{id}': { flag: 'obj_active', restored: 'action', change: { obj_metadata: { note: 'Another' } } },
};
