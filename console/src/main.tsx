import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { texts } from './texts/en.js';
import './ui/theme.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element "root"');
document.documentElement.lang = texts.language;
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
