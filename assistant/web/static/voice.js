/** Says what happens: each new move and each question, in the language of the page; a tone for a question. */

import { onSections } from "./live.js";
import { isOn } from "./settings.js";
import { watched } from "./watching.js";

let said = null; // what the page said last: number of the last line, the proposal, the question
let sound = null; // AudioContext, from the first touch on: browsers allow no sound before

/** What there is to be said now. */
function found() {
  const news = document.querySelector("[data-news]");
  const proposal = document.querySelector("#proposal [data-say]");
  return {
    line: Number(news?.dataset.news ?? 0),
    text: news?.dataset.say ?? "",
    proposal: proposal?.dataset.say ?? "",
    question: document.getElementById("question-text")?.textContent.trim() ?? "",
  };
}

function listen() {
  const now = found();
  const before = said;
  said = now;
  if (!before) return; // what is there when the page opens is no news
  if (now.question && now.question !== before.question) {
    speak(now.question);
    if (isOn("beep") && watched().watching) beep();
  } else if (now.proposal && now.proposal !== before.proposal) speak(now.proposal);
  else if (now.line > before.line && now.text !== before.proposal) speak(now.text);
}

function speak(text) {
  if (!text || !isOn("voice") || !window.speechSynthesis) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang === "en" ? "en-GB" : "de-DE";
  speechSynthesis.cancel(); // the newest is what matters
  speechSynthesis.speak(words);
}

/** Two short tones. */
function beep() {
  if (sound?.state !== "running") return;
  [0, 0.18].forEach((later) => {
    const [tone, volume] = [sound.createOscillator(), sound.createGain()];
    const at = sound.currentTime + later;
    tone.frequency.value = 880;
    volume.gain.setValueAtTime(0.2, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
    tone.connect(volume).connect(sound.destination);
    tone.start(at);
    tone.stop(at + 0.16);
  });
}

/** Sound is allowed after the first touch or key. */
function unlock() {
  if (!isOn("beep") || !window.AudioContext) return;
  sound ??= new AudioContext();
  if (sound.state === "suspended") sound.resume().catch(() => {});
}

/** Begins to speak, where that is switched on. */
export function start() {
  for (const kind of ["pointerup", "keydown"]) document.addEventListener(kind, unlock);
  document.addEventListener("change", ({ target }) => {
    if (target.matches('[data-setting="voice"]') && target.checked) speak(target.closest("label").textContent.trim());
  });
  onSections(listen);
}
