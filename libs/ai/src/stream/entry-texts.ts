import { Injectable } from '@nestjs/common';
import { eventText } from '@atrium/platform/http';
import type { StreamEvent } from '@atrium/platform/messaging';
import { entryOf } from './reader-view';

/** Entries that everybody sees alike, as they are sent: written once for all who follow a thread in this process. */
@Injectable()
export class EntryTexts {
  private readonly written = new WeakMap<StreamEvent, string>();

  getText(event: StreamEvent): string {
    const known = this.written.get(event);
    if (known !== undefined) return known;
    const { kind, data } = entryOf(event);
    const text = eventText({ event: kind, data: JSON.stringify(data), id: event.id });
    this.written.set(event, text);
    return text;
  }
}
