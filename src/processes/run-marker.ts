/**
 * The variable that every process of a run inherits, with the run's own directory as its value. A daemon killed
 * between spawn and record leaves no pid behind, and a program may put its helpers into groups of their own:
 * the environment is what still tells whose they are.
 */
export const RUN_MARKER = 'WATS_RUN_DIR';
