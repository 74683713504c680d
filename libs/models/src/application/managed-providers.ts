import { createHash } from 'node:crypto';
import type { ModelAccess, ProvidedModel } from '../domain/model';
import type { ProviderRow } from '../infrastructure/model-providers.repository';

/** A provider as administrators see it. */
export type ShownProvider = ProviderRow & {
  /** It belongs to the installation: every workspace has it, and none can change it. */
  readonly mp_managed: boolean;
};

/** Before anything that a workspace adds. */
const BEFORE = new Date(0);

/** Providers of the installation as rows; their keys are the operator's and are not spoken of. */
export const managedProviders = (
  providers: readonly { readonly name: string; readonly access: readonly ModelAccess[] }[],
): ShownProvider[] =>
  providers.map(({ name, access }) => ({
    mp_id: idOf(name),
    mp_name: name,
    mp_type: access.every(({ protocol }) => protocol === 'local') ? 'local' : 'openai-compatible',
    mp_base_url: null,
    mp_models: access.map(providedModel),
    mp_headers: [],
    mp_active: true,
    mp_created: BEFORE,
    mp_updated: BEFORE,
    mp_key_set: access.some(({ key }) => key !== null),
    mp_managed: true,
  }));

const providedModel = ({ name, model }: ModelAccess): ProvidedModel => ({
  model: name,
  model_name: model.model_name,
  model_kind: model.model_kind,
  model_capabilities: model.model_capabilities,
  model_context: model.model_context,
  model_max_output: model.model_max_output,
  model_active: true,
  model_default: model.model_default,
});

/** The same in every process: made of the name. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(`model-provider:${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
