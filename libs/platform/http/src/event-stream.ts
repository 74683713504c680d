import { applyDecorators, createParamDecorator, HttpCode, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, ApiHeader, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import { ANSWER, type AnswerShape } from './answers';
import type { EventSocket } from './event-socket';
import { EVENT_STREAM_TYPE } from './event-stream-type';

/** What a handler answers that goes on: events for the client as they happen. Nothing is sent before `begin`, so until then a problem can be answered. */
export class EventAnswer {
  constructor(
    readonly begin: (socket: EventSocket) => void,
    /** Instead of `begin`: the client asked for the headers alone, or has gone. */
    readonly abandon: () => void = () => undefined,
  ) {}
}

export interface StreamShape {
  readonly description: string;
  /** A stretch of the stream as the client receives it. */
  readonly example: string;
}

/** 200 with `text/event-stream`; the handler returns an `EventAnswer`. */
export const StreamsEvents = ({ description, example }: StreamShape): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    SetMetadata(ANSWER, { status: 200 } satisfies AnswerShape),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description:
        'Id of the last event that you received. The stream continues after it. With an unknown id, the stream starts from the beginning.',
      schema: { type: 'string' },
    }),
    ApiResponse({ status: 200, description, content: { [EVENT_STREAM_TYPE]: { schema: { type: 'string' }, example } } }),
  );

/** Documents a 200 with JSON, or with events for a client that asks for `text/event-stream`: the handler returns the one or an `EventAnswer`. */
export const AnswersOrStreams = (schema: Function, { description, example }: StreamShape): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(schema),
    ApiResponse({
      status: 200,
      description,
      content: {
        'application/json': { schema: { $ref: getSchemaPath(schema) } },
        [EVENT_STREAM_TYPE]: { schema: { type: 'string' }, example },
      },
    }),
  );

/** Whether the client wants events rather than JSON. */
export const WantsEvents = createParamDecorator(
  (_: unknown, context: ExecutionContext): boolean =>
    context.switchToHttp().getRequest<Request>().accepts(['application/json', EVENT_STREAM_TYPE]) === EVENT_STREAM_TYPE,
);

/** The header `Last-Event-ID`; undefined when there is none or it is empty. */
export const LastEventId = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const header = context.switchToHttp().getRequest<Request>().headers['last-event-id'];
  return typeof header === 'string' && header !== '' ? header : undefined;
});
