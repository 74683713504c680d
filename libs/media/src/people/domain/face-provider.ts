import type { FaceBox } from './face';

/** How many numbers tell faces apart. */
export const EMBEDDING_SIZE = 512;

/** A face as a machine sees it. */
export interface DetectedFace {
  readonly box: FaceBox;
  readonly prob: number;
  /** Of length one; null where the machine returns none of the right size. */
  readonly embedding: Float32Array | null;
  readonly landmarks: readonly (readonly [number, number])[];
}

export interface Detection {
  readonly faces: readonly DetectedFace[];
  /** What looked: embeddings of different models cannot be compared. */
  readonly model: string;
}

/** An upright picture in the form that is sent. */
export interface UprightPicture {
  readonly bytes: Buffer;
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** Port to a service that detects faces in pictures. */
export abstract class FaceProvider {
  abstract readonly configured: boolean;

  /** No face is an empty list; what the provider refuses or fails at is a problem. Called outside of any unit of work. */
  abstract detectFaces(picture: UprightPicture, signal?: AbortSignal): Promise<Detection>;
}
