import { Injectable } from '@nestjs/common';
import type { RefusedParameter } from './refused-parameter';

const MOST_MODELS = 1_000;
/** Values are remembered too, and clients choose them. */
const MOST_OF_MODEL = 40;

/** Which parameters models refused, so that the next question does not fail first. A process learns for itself, and forgets with its end. */
@Injectable()
export class LearnedParameters {
  private readonly models = new Map<string, readonly RefusedParameter[]>();

  of(model: string): readonly RefusedParameter[] {
    return this.models.get(model) ?? [];
  }

  add(model: string, refused: RefusedParameter): void {
    const known = this.of(model).filter(({ name, value }) => name !== refused.name || value !== refused.value);
    this.models.delete(model);
    this.models.set(model, [...known, refused].slice(-MOST_OF_MODEL));
    const [oldest] = this.models.keys();
    if (this.models.size > MOST_MODELS && oldest !== undefined) this.models.delete(oldest);
  }
}
