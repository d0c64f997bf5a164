import type { Answer, Wire } from './model-server.ts';

/** The OpenAI Responses API: https://platform.openai.com/docs/api-reference/responses-streaming */
export const openaiWire: Wire = {
  path: '/v1/responses',
  toolsOf(body) {
    const input = Array.isArray(body['input']) ? (body['input'] as Record<string, unknown>[]) : [];
    // Newer models are given their tools as an item of the input.
    return [body, ...input].flatMap(({ tools }) => (Array.isArray(tools) ? tools : []));
  },
  error: (error) => ({ error: { ...error, code: error.type, param: null } }),
  whole: (answer, serial) => completed(answer, serial),
  events(answer, serial) {
    const response = { ...completed(answer, serial), status: 'in_progress', output: [], usage: null };
    const list: Record<string, unknown>[] = [{ type: 'response.created', response }];
    items(answer, serial).forEach((item, output_index) => {
      list.push({
        type: 'response.output_item.added',
        output_index,
        item: { ...item, status: 'in_progress' },
      });
      if (item['type'] === 'message')
        list.push({
          type: 'response.output_text.delta',
          item_id: item['id'],
          output_index,
          content_index: 0,
          delta: answer.text,
        });
      list.push({ type: 'response.output_item.done', output_index, item });
    });
    list.push({ type: 'response.completed', response: completed(answer, serial) });
    return list.map((data, sequence_number) => ({
      event: String(data['type']),
      data: { ...data, sequence_number },
    }));
  },
};

function completed(answer: Answer, serial: number): Record<string, unknown> {
  const input = answer.usage?.input ?? 1000;
  const output = answer.usage?.output ?? 100;
  return {
    id: `resp_test_${serial}`,
    object: 'response',
    created_at: 1_700_000_000,
    model: 'gpt-test',
    status: 'completed',
    output: items(answer, serial),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function items(answer: Answer, serial: number): readonly Record<string, unknown>[] {
  const list: Record<string, unknown>[] = [];
  if (answer.text !== undefined)
    list.push({
      id: `item_test_${serial}_text`,
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: answer.text, annotations: [] }],
    });
  answer.tools?.forEach(({ name, namespace, input }, i) => {
    list.push({
      id: `item_test_${serial}_${i}`,
      status: 'completed',
      call_id: `call_test_${serial}_${i}`,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(typeof input === 'string'
        ? { type: 'custom_tool_call', input }
        : { type: 'function_call', arguments: JSON.stringify(input) }),
    });
  });
  return list;
}
