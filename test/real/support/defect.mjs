// A defect that strikes at SIGUSR2: imported by the program under test, which knows nothing of it.
process.on('SIGUSR2', () => {
  setTimeout(() => {
    throw new Error('a defect that nobody caught');
  });
});
