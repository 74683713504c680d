import type { JsonValue } from '@atrium/platform/kernel';

/** Repairs the events of one answer, so that the protocol library can read them, of any provider. */
export interface WireEvents {
  /** What the library is to read for the data of one event. */
  take(data: string): readonly JsonValue[];
  /** The provider has ended the stream. */
  end(): readonly JsonValue[];
}
