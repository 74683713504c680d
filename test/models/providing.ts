import { ModelProviders, type ProvidedModel } from '@atrium/models';
import { inWorkspace } from '@atrium/platform/database';
import type { ModelServer, RunningApi, TestWorkspace } from '@atrium/platform/testing';

/** Lets hosts of a test reach providers on loopback. */
export const MODELS_ON_LOOPBACK = { OUTBOUND_ALLOW: '127.0.0.1' };

export const VISION = { model: 'seer-1', model_kind: 'text', model_capabilities: ['vision'] } as const satisfies ProvidedModel;
export const EMBEDDING = { model: 'vectors-1', model_kind: 'embedding' } as const satisfies ProvidedModel;

/** A provider of the workspace's own, as its administrators enter it; its id. */
export async function provideModels(
  api: RunningApi,
  workspace: TestWorkspace,
  server: ModelServer,
  models: readonly ProvidedModel[] = [VISION],
): Promise<string> {
  const providers = api.app.get(ModelProviders, { strict: false });
  const { mp_id } = await inWorkspace(workspace.tenant_id, () =>
    providers.create({ mp_name: 'lab', mp_type: 'openai-compatible', mp_base_url: server.url, mp_models: models, mp_key: 'sk-test' }),
  );
  return mp_id;
}
