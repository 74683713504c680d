import { Body as FromBody, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { MessageAnswer, VersionedMessageAnswer } from '../application/message-reader';
import { MessagesService } from '../application/messages.service';
import { ChangeMessage, ListMessages, MessagePage, MessageView } from './messages.dto';

@ApiTags('Messages')
@Controller('threads/:id/messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  /**
   * Lists the messages of a thread, oldest first.
   *
   * Those of the branch that is shown, or with `branch=all` those of all branches. `sort=-msg_id` begins with the newest. Citations of
   * sources that you may not read keep their number and kind alone.
   */
  @Get()
  @Named('listMessages')
  @Policy({ any: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @Returns(MessagePage, 'A page of messages.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListMessages): Promise<Page<MessageAnswer>> {
    return this.messages.list(caller, id, query);
  }

  /**
   * Reads one message.
   */
  @Get(':msg_id')
  @Named('readMessage')
  @Policy({ any: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @HasId('msg_id', 'Id of the message.')
  @ReturnsState(MessageView, 'The message.')
  one(@Caller() caller: Principal, @PathId() id: string, @PathId('msg_id') msg_id: string): Promise<VersionedMessageAnswer> {
    return this.messages.one(caller, id, msg_id);
  }

  /**
   * Changes a message of your own, or any message of a thread that you own.
   *
   * `msg_active: false` deletes it with all that follows it; 409 while an answer is being written there.
   */
  @Patch(':msg_id')
  @Named('changeMessage')
  @Policy({ all: ['thread:edit'] })
  @HasId('id', 'Id of the thread.')
  @HasId('msg_id', 'Id of the message.')
  @HonoursIfMatch()
  @ReturnsState(MessageView, 'The message.')
  @Problems('invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('msg_id') msg_id: string,
    @FromBody() body: ChangeMessage,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedMessageAnswer> {
    return this.messages.change(caller, id, msg_id, body, precondition);
  }
}
