import { Body as FromBody, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { VersionedObject } from '../../objects/application/object-list';
import { ObjectView } from '../../objects/http/objects.dto';
import { TransitionsService, type OpenTransition, type TransitionRecordRow } from '../application/transitions.service';
import {
  ListOpenTransitions,
  ListTransitionRecords,
  MoveObject,
  OpenTransitionPage,
  OpenTransitionView,
  TransitionRecordPage,
} from './transitions.dto';

const VIEW = { any: ['object:view'], license: 'module-objects' } as const;

@ApiTags('Objects')
@Controller('objects/:id')
export class TransitionsController {
  constructor(private readonly transitions: TransitionsService) {}

  /**
   * Lists the transitions that you can make with an object.
   *
   * `blocked_by` lists what the object does not yet meet for each transition. The list is empty if the object does
   * not follow an active lifecycle flow.
   */
  @Get('transitions')
  @Named('listTransitions')
  @Policy(VIEW)
  @HasId('id', 'Id of the object.')
  @Returns(OpenTransitionPage, 'The transitions, in the order of the flow.')
  @Problems('unprocessable_content')
  async list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListOpenTransitions): Promise<Page<OpenTransition>> {
    return pageOfRows(OpenTransitionView, await this.transitions.listOpenTransitions(caller, id), query, ({ key }) => key);
  }

  /**
   * Moves an object by a transition of its lifecycle flow.
   *
   * Fails with 409 if the transition does not start in the current state of the object, with 403 if you cannot make
   * the transition, and with 422, listing everything that is missing, if required fields or the condition are not
   * met. Moving an object to a state that is not `retrievable` removes it from searches immediately.
   */
  @Post('transitions')
  @HttpCode(200)
  @Named('moveObject')
  @Policy(VIEW)
  @HasId('id', 'Id of the object.')
  @ReturnsState(ObjectView, 'The object in its new state.')
  @Problems('already_exists', 'invalid_state', 'payload_too_large', 'unprocessable_content')
  move(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: MoveObject): Promise<VersionedObject> {
    return this.transitions.applyTransition(caller, id, body);
  }

  /**
   * Lists the state changes of an object.
   *
   * The newest come first.
   */
  @Get('history')
  @Named('listObjectHistory')
  @Policy(VIEW)
  @HasId('id', 'Id of the object.')
  @Returns(TransitionRecordPage, 'A page of state changes.')
  history(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListTransitionRecords): Promise<Page<TransitionRecordRow>> {
    return this.transitions.listHistory(caller, id, query);
  }
}
