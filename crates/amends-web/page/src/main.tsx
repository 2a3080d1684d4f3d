import { render } from "preact";
import { App } from "./app";
import { listen } from "./state/address";
import { followKept } from "./state/kept";
import { followAnswers } from "./state/prices";
import { loadServer } from "./state/server";
import { followQuestion } from "./state/solve";

listen();
void loadServer();
followQuestion();
followAnswers();
followKept();
const root = document.getElementById("page");
if (root) render(<App />, root);
