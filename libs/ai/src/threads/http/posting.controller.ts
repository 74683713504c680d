import { Body as FromBody, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Response } from 'express';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { invalidField } from '@atrium/platform/kernel';
import type { MessageAnswer } from '../application/message-reader';
import { PostedMessages } from '../application/posted-messages';
import { PostedMessageView, PostMessage } from './messages.dto';

@ApiTags('Messages')
@Controller('threads/:id/messages')
export class PostingController {
  constructor(private readonly posted: PostedMessages) {}

  /**
   * Posts a message that nobody answers.
   */
  @Post()
  @Named('postMessage')
  @Policy({ any: ['thread:create', 'thread:edit'] })
  @HasId('id', 'Id of the thread.')
  @Returns(PostedMessageView, 'The message.')
  @Problems('invalid_state')
  async post(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { run_options, ...posted }: PostMessage,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ user_message: MessageAnswer }> {
    if (run_options.run) throw invalidField('run_options.run', 'must be false', 'choice');
    response.status(201);
    return { user_message: await this.posted.post(caller, id, posted) };
  }
}
