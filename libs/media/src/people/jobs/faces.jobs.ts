import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { ArrayMaxSize, IsArray, IsIn, IsString, IsUUID } from 'class-validator';

/** Names the file whose faces are wanted. */
export class FacesPayload {
  @IsUUID() file_id!: string;
}

/** Looks for the faces of a file, once for each content and model. */
export const findFaces = defineJob('media.faces', {
  payload: FacesPayload,
  attempts: 4,
  backoffMs: 5 * SECOND,
  key: ({ file_id }) => file_id,
});

/** Why faces are sorted. */
export class ClusterPayload {
  @IsIn(['faces', 'people']) because!: 'faces' | 'people';
}

/** Sorts the faces of a workspace to people; one run at a time. */
export const clusterFaces = defineJob('media.cluster', {
  payload: ClusterPayload,
  attempts: 4,
  backoffMs: 5 * SECOND,
  timeoutMs: 30 * MINUTE,
  key: () => 'all',
});

/** Names the objects that nothing refers to any more. */
export class CropsPayload {
  @IsArray() @ArrayMaxSize(1_000) @IsString({ each: true }) keys!: string[];
}

/** Removes cut-outs of faces from storage. */
export const dropCrops = defineJob('media.crops', { payload: CropsPayload, attempts: 8, backoffMs: 5 * SECOND });
