import type { Answer, Wire } from './model-server.ts';

interface Block {
  readonly start: Record<string, unknown>;
  readonly deltas: readonly Record<string, unknown>[];
  readonly whole: Record<string, unknown>;
}

/** The Anthropic Messages API: https://docs.anthropic.com/en/api/messages-streaming */
export const anthropicWire: Wire = {
  path: '/v1/messages',
  toolsOf: (body) => (Array.isArray(body['tools']) ? body['tools'] : []),
  error: (error) => ({ type: 'error', error }),
  whole: (answer, serial) => ({
    ...head(answer, serial),
    ...tail(answer),
    content: blocks(answer, serial).map((b) => b.whole),
  }),
  events(answer, serial) {
    const list: { type: string }[] = [
      { type: 'message_start', message: head(answer, serial) } as { type: string },
    ];
    blocks(answer, serial).forEach((block, index) => {
      list.push({ type: 'content_block_start', index, content_block: block.start } as { type: string });
      for (const delta of block.deltas)
        list.push({ type: 'content_block_delta', index, delta } as { type: string });
      list.push({ type: 'content_block_stop', index } as { type: string });
    });
    const { usage, ...delta } = tail(answer);
    list.push({ type: 'message_delta', delta, usage } as { type: string }, { type: 'message_stop' });
    return list.map((data) => ({ event: data.type, data }));
  },
};

function head(answer: Answer, serial: number): Record<string, unknown> {
  return {
    id: `msg_test_${serial}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: answer.usage?.input ?? 1000, output_tokens: 1 },
  };
}

function tail(answer: Answer): { stop_reason: string; stop_sequence: null; usage: Record<string, number> } {
  return {
    stop_reason: answer.stopReason ?? (answer.tools?.length ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { input_tokens: answer.usage?.input ?? 1000, output_tokens: answer.usage?.output ?? 100 },
  };
}

function blocks(answer: Answer, serial: number): readonly Block[] {
  const list: Block[] = [];
  if (answer.text !== undefined) {
    const half = Math.ceil(answer.text.length / 2);
    list.push({
      start: { type: 'text', text: '' },
      deltas: [answer.text.slice(0, half), answer.text.slice(half)].map((text) => ({
        type: 'text_delta',
        text,
      })),
      whole: { type: 'text', text: answer.text },
    });
  }
  answer.tools?.forEach(({ name, input }, i) => {
    const id = `toolu_test_${serial}_${i}`;
    list.push({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
      whole: { type: 'tool_use', id, name, input },
    });
  });
  return list;
}
