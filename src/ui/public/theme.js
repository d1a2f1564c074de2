// Runs before the first paint, so that a chosen theme never flashes. The page's policy forbids inline scripts.
try {
  const theme = localStorage.getItem('headgate.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be denied: the system's theme is used.
}
