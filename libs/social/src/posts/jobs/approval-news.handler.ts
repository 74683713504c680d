import { Injectable } from '@nestjs/common';
import { isId } from '@atrium/platform/kernel';
import { Handles, type EventDelivery } from '@atrium/platform/messaging';
import { ApprovedPosts } from '../application/approved-posts';
import { approvalNews } from './approval-news.jobs';

/** Follows decisions about posts. */
@Injectable()
export class ApprovalNewsHandler {
  constructor(private readonly posts: ApprovedPosts) {}

  @Handles(approvalNews)
  async followDecision({ payload: { subject } }: EventDelivery): Promise<void> {
    if (isId(subject)) await this.posts.followDecision(subject);
  }
}
