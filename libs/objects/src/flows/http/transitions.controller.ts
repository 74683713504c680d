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
   * Lists the transitions that the caller may make with an object now.
   *
   * `blocked_by` names what the object still lacks for each. Empty where the object follows no active lifecycle flow.
   */
  @Get('transitions')
  @Named('listTransitions')
  @Policy(VIEW)
  @HasId('id', 'Id of the object.')
  @Returns(OpenTransitionPage, 'The transitions, in the order of the flow.')
  @Problems('unprocessable_content')
  async list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListOpenTransitions): Promise<Page<OpenTransition>> {
    return pageOfRows(OpenTransitionView, await this.transitions.open(caller, id), query, ({ key }) => key);
  }

  /**
   * Moves an object by a transition of its lifecycle flow.
   *
   * 409 when the transition does not start in the state of the object, 403 when the caller is not an allowed actor, 422 naming
   * everything that is missing when its fields or its condition are not fulfilled. A state that searches do not find takes the object
   * out of them at once.
   */
  @Post('transitions')
  @HttpCode(200)
  @Named('moveObject')
  @Policy(VIEW)
  @HasId('id', 'Id of the object.')
  @ReturnsState(ObjectView, 'The object in its new state.')
  @Problems('already_exists', 'invalid_state', 'payload_too_large', 'unprocessable_content')
  move(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: MoveObject): Promise<VersionedObject> {
    return this.transitions.move(caller, id, body);
  }

  /** Lists the states that an object came into, newest first. */
  @Get('history')
  @Named('listObjectHistory')
  @Policy(VIEW)
  @HasId('id', 'Id of the object.')
  @Returns(TransitionRecordPage, 'A page of moves.')
  history(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListTransitionRecords): Promise<Page<TransitionRecordRow>> {
    return this.transitions.history(caller, id, query);
  }
}
