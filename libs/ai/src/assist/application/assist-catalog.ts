import { Injectable } from '@nestjs/common';
import { TextModels, VisionModel } from '@atrium/models';
import { BUILT_IN } from './alt-texts';
import { ASSIST_TASKS, TASK_FACTS, type AssistTaskFacts } from '../domain/assist-task';

/** A task with what the models at hand can do of it. */
export interface OfferedTask extends Omit<AssistTaskFacts, 'built_in'> {
  readonly available: boolean;
  readonly model_id: string | null;
  /** What the model leaves out; null: nothing. */
  readonly limits: string | null;
}

/** The tasks of assistance, as they are available with the models of the workspace. */
@Injectable()
export class AssistCatalog {
  constructor(
    private readonly models: TextModels,
    private readonly vision: VisionModel,
  ) {}

  async listTasks(): Promise<OfferedTask[]> {
    const [{ model, isBuiltIn }, seeing] = await Promise.all([this.models.resolveModel(), this.vision.findModelId()]);
    return ASSIST_TASKS.map((task) => {
      const { built_in, ...facts } = TASK_FACTS[task];
      const writes = task === 'alt-text' ? seeing : isBuiltIn ? null : model.model_id;
      // Descriptions by facts are the same whichever provider has the built-in model.
      const quoting = task === 'alt-text' ? BUILT_IN : model.model_id;
      const available = writes !== null || built_in !== null;
      return {
        task,
        ...facts,
        available,
        model_id: writes ?? (available ? quoting : null),
        limits: writes === null ? built_in : null,
      };
    });
  }
}
