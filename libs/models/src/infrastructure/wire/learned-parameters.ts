import { Injectable } from '@nestjs/common';
import { currentScope } from '@atrium/platform/database';
import { HOUR } from '@atrium/platform/kernel';
import type { ModelAccess } from '../../domain/model';
import type { RefusedParameter } from './refused-parameter';

const MOST_MODELS = 1_000;
/** Values are remembered too, and clients choose them. */
const MOST_OF_MODEL = 40;

interface Learned extends RefusedParameter {
  readonly until: number;
}

/**
 * Under what is remembered what a model refused. A provider may answer whatever it wants, so that it is believed for the workspace alone
 * that asks it; nothing is remembered outside of a workspace.
 */
export function placeOf({ model, base_url, name }: ModelAccess): string | null {
  const tenant_id = currentScope()?.tenant_id ?? null;
  return tenant_id === null ? null : JSON.stringify([tenant_id, model.model_provider, base_url, name]);
}

/** Which parameters models refused, so that the next question does not fail first. A process learns for itself; what it learned is true for an hour. */
@Injectable()
export class LearnedParameters {
  private readonly places = new Map<string, readonly Learned[]>();

  findRefused(place: string | null): readonly RefusedParameter[] {
    return place === null ? [] : this.known(place);
  }

  learnRefused(place: string | null, refused: readonly RefusedParameter[]): void {
    if (place === null || refused.length === 0) return;
    const known = this.known(place).filter(({ name, value }) => !refused.some((one) => one.name === name && one.value === value));
    const until = Date.now() + HOUR;
    this.places.delete(place);
    this.places.set(place, [...known, ...refused.map((one) => ({ ...one, until }))].slice(-MOST_OF_MODEL));
    const [oldest] = this.places.keys();
    if (this.places.size > MOST_MODELS && oldest !== undefined) this.places.delete(oldest);
  }

  private known(place: string): readonly Learned[] {
    const now = Date.now();
    return (this.places.get(place) ?? []).filter(({ until }) => until > now);
  }
}
