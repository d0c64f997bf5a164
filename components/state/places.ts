/** What the whole screen shows; number keys. */
export type ViewName = 'overview' | 'drafts' | 'runs' | 'posts' | 'peers' | 'log' | 'settings';
export const VIEWS: readonly ViewName[] = ['overview', 'drafts', 'runs', 'posts', 'peers', 'log', 'settings'];

export type ListName = 'drafts' | 'paused' | 'queue' | 'runs' | 'posts' | 'peers' | 'log' | 'settings';
export type PanelName = 'transcript' | ListName;
export const OVERVIEW_PANELS: readonly PanelName[] = ['transcript', 'drafts', 'paused', 'queue'];
