import type { Principal } from '../../access/index.ts';
import { may, type Policy } from '../../access/index.ts';
import { approveTool, pendingTool, rejectTool } from './drafts.ts';
import { inboxTool } from './inbox.ts';
import { readTool } from './read.ts';
import { searchTool } from './search.ts';
import { statusTool } from './status.ts';
import type { PostRules, Tool } from './tool.ts';
import { postTool, replyTool } from './write.ts';

/** Every tool there is. None writes a setting, and none writes a kind that guardians or the runner write. */
export function allTools(rules: PostRules): readonly Tool[] {
  return [
    searchTool(rules),
    readTool(),
    postTool(rules),
    replyTool(rules),
    inboxTool(),
    statusTool(),
    pendingTool(),
    approveTool(),
    rejectTool(),
  ];
}

/** The tools that a principal is offered, and that alone it may call. */
export function toolsFor(tools: readonly Tool[], principal: Principal, policy: Policy): readonly Tool[] {
  return tools.filter((tool) => may(principal, tool.action, policy));
}
