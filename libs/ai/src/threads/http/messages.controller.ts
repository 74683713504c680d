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
   * Lists the messages of a thread.
   *
   * The oldest come first; with `sort=-msg_id`, the newest. Only messages of the selected branch are listed, or with
   * `branch=all`, those of all branches. Citations of sources that you cannot view contain only their number and
   * kind.
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
   * Reads a message.
   */
  @Get(':msg_id')
  @Named('readMessage')
  @Policy({ any: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @HasId('msg_id', 'Id of the message.')
  @ReturnsState(MessageView, 'The message.')
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('msg_id') msg_id: string): Promise<VersionedMessageAnswer> {
    return this.messages.get(caller, id, msg_id);
  }

  /**
   * Changes your own message, or any message in a thread that you own.
   *
   * `msg_active: false` deletes the message and all messages that follow it. Fails with 409 while an answer is being
   * written after it.
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
