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
};
