import process from 'node:process';

/** How long a stop that the kernel ignores is waited for, in ms. */
const IGNORED_MS = 250;

/**
 * Stops this job as Ctrl-Z would, and comes back when it goes on. Where nobody could continue it (the program is the
 * terminal's only process) the kernel ignores the stop, and it comes back at once.
 */
export function suspendJob(): Promise<void> {
  return new Promise((resolve) => {
    const on = () => {
      clearTimeout(timer);
      process.off('SIGCONT', on);
      resolve();
    };
    process.on('SIGCONT', on);
    const timer = setTimeout(on, IGNORED_MS);
    // The whole job, as the terminal would do it: a wrapper that started wats has to stop as well.
    process.kill(0, 'SIGTSTP');
  });
}
