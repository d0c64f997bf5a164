import type { Socket } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { Principal } from '../access/index.ts';
import { isWatsError } from '../errors/index.ts';
import { visible } from '../text/index.ts';
import { readFirstLine } from './hello.ts';
import { instructions } from './instructions.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './limits.ts';
import type { ToolPorts } from './ports.ts';
import { allTools, toolsFor } from './tools/index.ts';
import type { PostRules, Tool, ToolContext } from './tools/tool.ts';
import { type Dropped, SocketTransport } from './transport.ts';

/** What happened, for the log: names, sizes and codes, never text or arguments. */
export type McpOccurrence =
  | {
      readonly event: 'opened' | 'closed';
      readonly connection: number;
      readonly principal: Principal['kind'];
    }
  | { readonly event: 'dropped'; readonly connection: number; readonly why: Dropped }
  | {
      readonly event: 'called';
      readonly connection: number;
      readonly tool: string;
      /** `ok`, the code of a WatsError, or `defect`. */
      readonly outcome: string;
      /** What broke, with its stack, when `outcome` is `defect`. */
      readonly cause?: unknown;
    };

export interface ServeOptions {
  readonly ports: ToolPorts;
  /** Whoever connects is this. A session's profile is the default: its bridge may name another. */
  readonly principal: Principal;
  /**
   * A socket that takes more than being able to open it: whether the token of the first line is the right one. It is
   * asked for every connection; `undefined` stands for no token, and is compared in constant time like any other.
   */
  readonly admits?: (token: string | undefined) => boolean;
  /** The sentence that instructions and wake prompt share. */
  readonly openingSentence: string;
  readonly version: string;
  readonly rules: PostRules;
  /** Must not throw. */
  readonly log: (occurrence: McpOccurrence) => void;
  /** 8 hex digits or more, unpredictable: frames the posts of one answer. */
  readonly newMarker: () => string;
  readonly limits?: ConnectionLimits;
}

/** Nobody is asked anything by this server, so that no answer needs a schema (the SDK would load one a connection). */
const NO_ELICITATION = {
  getValidator(): never {
    throw new Error('this server does not elicit');
  },
};

const MAX_ERROR_CHARS = 2000;

/**
 * Serves the tools: returns what to do with a new connection of a socket, and with that how to end it. Each connection has an MCP server of its
 * own and can do only what `principal` may, whatever it says.
 */
export function serveMcp(options: ServeOptions): (socket: Socket) => { end(): void } {
  const tools = allTools(options.rules);
  let connections = 0;
  return (socket) => {
    connections++;
    return serveConnection(socket, connections, tools, options);
  };
}

function serveConnection(
  socket: Socket,
  connection: number,
  tools: readonly Tool[],
  options: ServeOptions,
): { end(): void } {
  const { log } = options;
  let principal = options.principal;
  let me: string | undefined;

  const server = new Server(
    { name: 'wats', title: 'wats', version: options.version },
    {
      capabilities: { tools: {} },
      instructions: instructions(options.openingSentence, principal),
      jsonSchemaValidator: NO_ELICITATION,
    },
  );
  const offered = () => toolsFor(tools, principal, { sessionsDecide: options.ports.node.sessionsDecide() });

  server.setRequestHandler(
    ListToolsRequestSchema,
    (): ListToolsResult => ({ tools: offered().map(describe) }),
  );
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const tool = offered().find(({ name }) => name === params.name);
    if (tool === undefined) {
      throw new McpError(
        ErrorCode.InvalidParams,
        `no such tool here: ${visible(params.name.slice(0, 60), 'line')}`,
      );
    }
    const called = (outcome: string, cause?: unknown) =>
      log({ event: 'called', connection, tool: tool.name, outcome, ...(cause !== undefined && { cause }) });
    try {
      me ??= options.ports.publishing.authorOf(principal);
      const context: ToolContext = { ports: options.ports, principal, marker: options.newMarker(), me };
      const { structured, text } = await tool.call(params.arguments, context);
      called('ok');
      return { content: [{ type: 'text', text }], structuredContent: structured };
    } catch (error) {
      if (isWatsError(error)) called(error.code);
      else called('defect', error);
      return { isError: true, content: [{ type: 'text', text: messageOf(error) }] };
    }
  });
  server.onerror = () => {
    // A broken pipe, an answer to nothing: the other side's mistakes, of which the transport counts what matters.
  };
  server.onclose = () => log({ event: 'closed', connection, principal: principal.kind });

  const transport = new SocketTransport(socket, {
    limits: options.limits ?? CONNECTION_LIMITS,
    onDropped: (why) => log({ event: 'dropped', connection, why }),
    onFirstLine(line) {
      const first = readFirstLine(line);
      if (first.is === 'refused') return first.why;
      const token = first.is === 'hello' ? first.hello.token : undefined;
      if (options.admits?.(token) === false) return 'the token of this socket is missing or wrong';
      if (first.is === 'hello' && principal.kind === 'session' && first.hello.profile !== undefined) {
        principal = { ...principal, profile: first.hello.profile };
      }
      return first.is === 'hello';
    },
  });
  log({ event: 'opened', connection, principal: principal.kind });
  server.connect(transport).catch(() => socket.destroy());
  return { end: () => transport.drain() };
}

function describe(tool: Tool): ListToolsResult['tools'][number] {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** What went wrong and what to change; of a defect only that it is one. */
function messageOf(error: unknown): string {
  if (!isWatsError(error))
    return 'wats failed on this call; its log says why. Calling it again the same way may not help.';
  const said = error.fix === undefined ? error.message : `${error.message}\n${error.fix}`;
  return visible(said.slice(0, MAX_ERROR_CHARS), 'block');
}
