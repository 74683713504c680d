import { modelOf, type ModelAccess, type ProvidedModel } from './model';

/** The provider of the built-in model; no other may have its name. */
export const LOCAL_PROVIDER = 'atrium';
export const LOCAL_MODEL = 'extract-1';

const FACTS: ProvidedModel = {
  model: LOCAL_MODEL,
  model_name: 'Extract 1 (built in; quotes sentences of sources, writes none itself)',
  model_kind: 'text',
  model_capabilities: ['tools', 'json', 'streaming'],
  model_context: 32_768,
  model_max_output: 4_096,
};

/** The built-in model as a provider's model, or as one of a provider of the type `local` that a workspace adds. */
export const localModel = (facts: Partial<ProvidedModel> = {}, provider = LOCAL_PROVIDER): ModelAccess => ({
  model: modelOf(provider, { ...FACTS, ...facts }),
  name: LOCAL_MODEL,
  protocol: 'local',
  base_url: '',
  key: null,
  headers: {},
});
